/** A write as it is signed: which call, the digest that an approval binds, and that of the plan as it is recorded. */
export interface SignedPlan { tool_call_id: string, input_digest: string, plan: string }

/** A change of policies or people as it is signed. */
export interface SignedOperation { method: string, path: string, body: string }

/** What a passkey signs the hash of: whose it is, for what, and where. Nothing in it can be left out or exchanged. */
export interface Statement {
  purpose: 'consent' | 'operation' | 'registration'
  workspace_id: string
  user_id: string
  rp_id: string
  origin: string
  /** Random: the same consent is never the same challenge. */
  nonce: string
  /** Of a consent: one, or one for each step in their order. */
  plans?: readonly SignedPlan[]
  operation?: SignedOperation
}
