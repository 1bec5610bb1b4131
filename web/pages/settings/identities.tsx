import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'

type Identity = Schemas['Identity']

const how: Record<Identity['joined_by'], string> = {
  rule: 'came in by signing in', email: 'was found by the address', link: 'connected it'
}

const Row = ({ identity }: { identity: Identity }) => <li>
  <strong>{identity.provider}</strong>: {identity.email ?? identity.subject}
  <p class='small muted'>{how[identity.joined_by]}{' · '}
    {identity.rule_role ? `the role ${identity.rule_role} comes from there` : 'no role comes from there'}
    {identity.groups.length > 0 && <>{' · '}groups from there: {identity.groups.map(({ name }) => name).join(', ')}</>}
    {' · '}signed in <Time at={identity.last_sign_in_at} />
  </p>
</li>

/** Who somebody is at identity providers, and what they have from there. */
export const IdentitiesOf = ({ userId }: { userId: string }) => {
  const found = useResource([userId], (signal) =>
    body(api.GET('/account/users/{user_id}/identities', { params: { path: { user_id: userId } }, signal })))
  return (
    <section class='card stack tight' aria-label='Identity providers'>
      <h2>Identity providers</h2>
      <Loaded of={found}>{({ items }) => items.length === 0
        ? <p class='muted'>Does not sign in with one.</p>
        : <ul class='plain stack tight'>{items.map((identity) => <Row key={identity.id} identity={identity} />)}</ul>}
      </Loaded>
    </section>
  )
}

/** Mine, and those that I may connect. */
export const MyIdentities = () => {
  const found = useResource([], async (signal) => {
    const [{ items }, { providers }] = await Promise.all([
      body(api.GET('/account/identities', { signal })), body(api.GET('/identity/offer', { signal }))
    ])
    return { items, others: providers.filter(({ id }) => items.every((one) => one.provider_id !== id)) }
  })
  const connect = async (id: string) => {
    const back = `${location.pathname}${location.search}`
    const { url } = await body(api.POST('/account/identities', { body: { provider_id: id, return_to: back } }))
    location.assign(url)
  }
  return (
    <Loaded of={found}>{({ items, others }) => items.length + others.length === 0
      ? null
      : <section class='card stack tight' aria-label='Identity providers'>
        <h2>Identity providers</h2>
        <ul class='plain stack tight'>{items.map((identity) => <Row key={identity.id} identity={identity} />)}</ul>
        {others.map(({ id, name }) => <div key={id}>
          <ActionButton variant='small' label={`Connect ${name}`} act={() => connect(id)}>Connect {name}</ActionButton>
        </div>)}
      </section>}
    </Loaded>
  )
}
