/** For whom AWS is asked to change something: AWS's own log shows it. */
export interface Actor {
  /** null for work that was stored before Steward kept who began it. */
  user_id: string | null
  /** The assistant's run, where there is one. */
  run_id: string | null
  /** The approval that the write follows from; null for what a person sends directly. */
  confirmation_id: string | null
}

/** What the trust policy of a role lets Steward write on its sessions. */
export interface SessionMarks { tags: boolean, source_identity: boolean }
