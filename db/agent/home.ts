/**
 * The workspace's own row. By it a distributed database sees that a part of a statement which reads only what other
 * parts have found belongs to the server of this workspace; else it brings that to each server, also to a dead one.
 * @param workspace an expression of type uuid, with no other value than a parameter's
 */
export const homeOf = (workspace: string): string =>
  `(select id as workspace_id from workspace where id = ${workspace}) as home`
