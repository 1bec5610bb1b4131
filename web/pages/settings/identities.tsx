import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { say, sayWith, type Key } from '../../texts/say'

type Identity = Schemas['Identity']

const how: Record<Identity['joined_by'], Key> = {
  rule: 'identities.rule', email: 'identities.email', link: 'identities.link'
}

const namesOf = ({ groups }: Identity): string => groups.map(({ name }) => name).join(', ')

const Row = ({ identity }: { identity: Identity }) => <li>
  <strong>{identity.provider}</strong>: {identity.email ?? identity.subject}
  <p class='small muted'>{say(how[identity.joined_by])}{' · '}
    {identity.rule_role ? say('identities.role', { role: identity.rule_role }) : say('identities.noRole')}
    {identity.groups.length > 0 && <>{' · '}{say('identities.groups', { names: namesOf(identity) })}</>}
    {' · '}{sayWith('identities.signedIn', { when: <Time at={identity.last_sign_in_at} /> })}
  </p>
</li>

/** Who somebody is at identity providers, and what they have from there. */
export const IdentitiesOf = ({ userId }: { userId: string }) => {
  const found = useResource([userId], (signal) =>
    body(api.GET('/account/users/{user_id}/identities', { params: { path: { user_id: userId } }, signal })))
  return (
    <section class='card stack tight' aria-label={say('identities.title')}>
      <h2>{say('identities.title')}</h2>
      <Loaded of={found}>{({ items }) => items.length === 0
        ? <p class='muted'>{say('identities.none')}</p>
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
      : <section class='card stack tight' aria-label={say('identities.title')}>
        <h2>{say('identities.title')}</h2>
        <ul class='plain stack tight'>{items.map((identity) => <Row key={identity.id} identity={identity} />)}</ul>
        {others.map(({ id, name }) => <div key={id}>
          <ActionButton
            variant='small' label={say('identities.connect', { name })} act={() => connect(id)}
          >{say('identities.connect', { name })}
          </ActionButton>
        </div>)}
      </section>}
    </Loaded>
  )
}
