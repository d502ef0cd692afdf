/** Where releases are downloaded from: the one place that says it. */

/**
 * The address below which each version has a folder, `<downloads>/v<version>/<file>`. Empty until there is
 * one: then the installer asks for an address, and nothing claims to be published.
 */
export const downloads = "";
