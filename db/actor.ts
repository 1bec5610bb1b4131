/** Who asked for work that is done later: stored with it, by the names of a principal. */
export interface Actor {
  user_id: string
  name: string
  via: 'browser' | 'token' | 'assistant'
  via_id: string | null
  scopes: string[] | null
  /** The work was approved by a person: who may propose it may have it done. */
  admitted?: boolean
  /** The approval that the work carries out: what it sends says so. */
  confirmation_id?: string
}
