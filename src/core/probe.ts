/** What came of asking something whether it is there. */
export interface Probe {
  readonly ok: boolean;
  /** One sentence for people. */
  readonly text: string;
}
