import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { ActionButton } from '../../../parts/action-button'
import { Badge, StateBadge } from '../../../parts/badge'
import { ConfirmDialog } from '../../../parts/confirm-dialog'
import { Plus } from '../../../parts/icons'
import { Loaded } from '../../../parts/states'
import type { Provider } from './fields'
import { ProviderDialog } from './provider-dialog'

type Test = Schemas['IdentityTest']

const Checks = ({ name, test }: { name: string, test: Test }) => <div role='status' aria-label={`Test of ${name}`}>
  <p><strong>{test.passed ? 'Nothing is in the way of signing in.' : 'It does not work yet.'}</strong></p>
  <ul class='plain stack tight'>{test.checks.map(({ check, outcome, detail }) => <li key={`${check} ${detail}`}>
    <StateBadge state={outcome} /> {detail}
  </li>)}
  </ul>
</div>

interface CardProps { provider: Provider, onChange: () => void, onEdit: () => void, onRemove: () => void }

const Actions = ({ provider, onChange, onEdit, onRemove, onTest }: CardProps & { onTest: (test: Test) => void }) => {
  const { id, name, enabled } = provider
  const params = { path: { provider_id: id } }
  const test = async () => onTest(await body(api.POST('/account/identity-providers/{provider_id}/test', { params })))
  const turn = async () => {
    await body(api.PATCH('/account/identity-providers/{provider_id}', { params, body: { enabled: !enabled } }))
    onChange()
  }
  return (
    <div class='row tight'>
      <ActionButton variant='small' label={`Test ${name}`} act={test}>Test</ActionButton>
      <button type='button' class='small' aria-label={`Change ${name}`} onClick={onEdit}>Change</button>
      <ActionButton variant='small' label={`${enabled ? 'Turn off' : 'Turn on'} ${name}`} act={turn}>
        {enabled ? 'Turn off' : 'Turn on'}
      </ActionButton>
      <button type='button' class='small danger' aria-label={`Remove ${name}`} onClick={onRemove}>Remove</button>
    </div>
  )
}

const ProviderCard = (props: CardProps) => {
  const tested = useSignal<Test>()
  const { name, enabled, issuer, just_in_time: joins, rules } = props.provider
  const { callback_url: callback, logout_url: logout } = props.provider
  return (
    <section class='card stack' aria-label={`Identity provider ${name}`}>
      <div class='row'>
        <h2 class='grow'>{name} {!enabled && <Badge>off</Badge>}</h2>
        <Actions
          {...props} onTest={(test) => { tested.value = test }}
          onEdit={() => { tested.value = undefined; props.onEdit() }}
        />
      </div>
      <p class='small muted'><span class='mono'>{issuer}</span>{' · '}
        {joins ? 'new people come in by signing in' : 'only people who are here'}{' · '}{rules.length} rules
      </p>
      <p class='small'>Register there, as redirect URI: <code>{callback}</code></p>
      <p class='small'>As back-channel logout URI: <code>{logout}</code></p>
      {tested.value && <Checks name={name} test={tested.value} />}
    </section>
  )
}

/** With whose word people sign in to the workspace. */
export default function IdentityPart () {
  const removing = useSignal<Provider | undefined>(undefined)
  const editing = useSignal<{ provider: Provider | undefined } | undefined>(undefined)
  const providers = useResource([], (signal) => body(api.GET('/account/identity-providers', { signal })))
  const { reload } = providers
  const remove = async (id: string) => {
    await body(api.DELETE('/account/identity-providers/{provider_id}', { params: { path: { provider_id: id } } }))
    reload()
  }
  const close = () => {
    editing.value = undefined
    reload()
  }
  return (
    <div class='stack'>
      <p>People sign in with these OpenID providers, beside the code host and one-time links.</p>
      <div><button type='button' class='primary' onClick={() => { editing.value = { provider: undefined } }}>
        <Plus size={16} aria-hidden='true' />Add a provider
      </button>
      </div>
      <Loaded of={providers}>{({ items }) => <>
        {items.length === 0 && <p class='muted'>There are no identity providers.</p>}
        {items.map((provider) => <ProviderCard
          key={provider.id} provider={provider} onChange={reload}
          onEdit={() => { editing.value = { provider } }} onRemove={() => { removing.value = provider }}
        />)}
      </>}
      </Loaded>
      {editing.value && <ProviderDialog provider={editing.value.provider} onClose={close} />}
      {removing.value && <ConfirmDialog
        title='Remove the identity provider' verb='Remove' onClose={() => { removing.value = undefined }}
        act={() => remove(removing.value?.id ?? '')}
      >Whoever is signed in with “{removing.value.name}” is signed out. People stay, with their roles and groups.
      </ConfirmDialog>}
    </div>
  )
}
