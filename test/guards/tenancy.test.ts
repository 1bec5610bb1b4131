import t from '../tap.js'
import { acrossWorkspaces, isOfOneWorkspace, readSnapshot } from '../tenancy.js'

t.test('each statement names its workspace, but for those that are known to look over all', async (t) => {
  const statements = readSnapshot()
  t.ok(statements.length > 1_000, `${statements.length} statements`)
  const across = new Set(statements.filter(({ sql }) => !isOfOneWorkspace(sql)).map(({ by }) => by))
  t.same([...across].sort(), acrossWorkspaces.toSorted())
})

t.test('one that leaves it out is found', async (t) => {
  t.notOk(isOfOneWorkspace('select "id" from "content_brief" where "id" = $1'))
  t.notOk(isOfOneWorkspace('delete from "channel" where "id" = $1'))
  t.notOk(isOfOneWorkspace('update "account_token" as "t" set "revoked_at" = now() from "account_user" as "u" ' +
    'where "u"."workspace_id" = "t"."workspace_id" and "t"."id" = $1'))
  t.ok(isOfOneWorkspace('select "id" from "content_brief" where "workspace_id" = $1 and "id" = $2'))
  t.ok(isOfOneWorkspace('select "id" from "workspace" where "id" = $1'))
})
