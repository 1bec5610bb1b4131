/** Who asked for work that is done later: stored with it, by the names of a principal. */
export interface Actor {
  user_id: string
  name: string
  via: 'browser' | 'token' | 'assistant'
  via_id: string | null
  scopes: string[] | null
}
