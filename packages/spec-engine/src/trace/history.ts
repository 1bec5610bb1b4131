/** What a trace reads of a commit. */
export interface TracedCommit { sha: string, parents: readonly string[], message: string, headline: string }

/** What a trace reads of a pull request. */
export interface TracedPull { number: number, title: string, state: string, body_excerpt: string | null }
