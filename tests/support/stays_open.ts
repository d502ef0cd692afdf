/**
 * For tests that search or send: calls of the system's library are opened after some uses and stay open for as
 * long as the program lives, which older runtimes count as a leak.
 */
export const staysOpen = { sanitizeResources: false };
