import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Crumbs } from '../../parts/crumbs'
import { Loaded } from '../../parts/states'
import { Bindings } from './bindings'
import { IdentitiesOf } from './identities'
import { PasskeyList } from './passkeys'
import { PersonState } from './person-state'
import { allRoles, nameOf, roles, usePlaces } from './scopes'
import { say, sayWith } from '../../texts/say'

type Group = Schemas['Group']

/** All groups, as a person's page needs to know which of them have the person. */
const readGroups = async (signal: AbortSignal, cursor?: string): Promise<Group[]> => {
  const page = await body(api.GET('/account/groups', { params: { query: { limit: 100, cursor } }, signal }))
  return page.next_cursor === null ? page.items : [...page.items, ...await readGroups(signal, page.next_cursor)]
}

/** What a person may do because of a group. */
const OfGroup = ({ group: { id, name } }: { group: Group }) => {
  const places = usePlaces()
  const bindings = useResource([id], (signal) =>
    body(api.GET('/account/bindings', { params: { query: { limit: 100, group_id: id } }, signal })))
  return (
    <li>
      <Link href={`/settings/groups/${id}`}>{name}</Link>
      <Loaded of={bindings}>{({ items }) => <ul class='plain small muted'>
        {items.length === 0 && <li>{say('person.noRole')}</li>}
        {items.map(({ id, role, scope }) => <li key={id}>
          {say('person.roleOn', { role: say(roles[role]), where: nameOf(scope, places) })}
        </li>)}
      </ul>}
      </Loaded>
    </li>
  )
}

const Groups = ({ of }: { of: string }) => {
  const groups = useResource([of], async (signal) =>
    (await readGroups(signal)).filter(({ members }) => members.some(({ user_id: id }) => id === of)))
  return (
    <section class='card stack tight' aria-label={say('group.title')}>
      <h2>{say('group.title')}</h2>
      <Loaded of={groups}>{(items) => items.length === 0
        ? <p
            class='muted'
        >{sayWith('person.noGroup', { choose: <Link href='/settings/groups'>{say('person.chooseGroup')}</Link> })}
        </p>
        : <ul class='plain stack tight'>{items.map((group) => <OfGroup key={group.id} group={group} />)}</ul>}
      </Loaded>
    </section>
  )
}

const Head = ({ user }: { user: Schemas['User'] }) => <div>
  <h2>{user.name} <PersonState of={user} /></h2>
  <p class='muted'>
    {user.email && <>{user.email} · </>}
    {say('person.inWorkspace', { role: say(user.role === 'none' ? 'role.none' : allRoles[user.role]) })}
  </p>
</div>

/** One person: the role in the workspace, the groups, and what the person may do where. */
export const Person = ({ id }: { id: string }) => {
  const person = useResource([id], (signal) =>
    body(api.GET('/account/users/{user_id}', { params: { path: { user_id: id } }, signal })))
  return (
    <div class='stack'>
      <Crumbs to={[[say('common.people'), '/settings/members']]} />
      <Loaded of={person}>{(user) => <>
        <Head user={user} />
        <Bindings of={{ kind: 'user', id, name: user.name }} />
        <Groups of={id} />
        <IdentitiesOf userId={id} />
        <PasskeyList userId={id} />
      </>}
      </Loaded>
    </div>
  )
}
