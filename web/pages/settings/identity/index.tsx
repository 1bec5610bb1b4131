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
import { say, sayWith } from '../../../texts/say'

type Test = Schemas['IdentityTest']

const Checks = ({ name, test }: { name: string, test: Test }) => <div
  role='status' aria-label={say('identity.testOf', { name })}
>
  <p><strong>{test.passed ? say('identity.passed') : say('identity.failed')}</strong></p>
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
      <ActionButton
        variant='small' label={say('identity.testOne', { name })} act={test}
      >{say('identity.test')}
      </ActionButton>
      <button
        type='button' class='small' aria-label={say('common.changeOne', { name })} onClick={onEdit}
      >{say('common.change')}
      </button>
      <ActionButton
        variant='small' label={say(enabled ? 'common.turnOffOne' : 'common.turnOnOne', { name })} act={turn}
      >
        {enabled ? say('common.turnOff') : say('common.turnOn')}
      </ActionButton>
      <button
        type='button' class='small danger' aria-label={say('common.removeOne', { name })} onClick={onRemove}
      >{say('common.remove')}
      </button>
    </div>
  )
}

const ProviderCard = (props: CardProps) => {
  const tested = useSignal<Test>()
  const { name, enabled, issuer, just_in_time: joins, rules } = props.provider
  const { callback_url: callback, logout_url: logout } = props.provider
  return (
    <section class='card stack' aria-label={say('identity.title', { name })}>
      <div class='row'>
        <h2 class='grow'>{name} {!enabled && <Badge>{say('common.off')}</Badge>}</h2>
        <Actions
          {...props} onTest={(test) => { tested.value = test }}
          onEdit={() => { tested.value = undefined; props.onEdit() }}
        />
      </div>
      <p class='small muted'><span class='mono'>{issuer}</span>{' · '}
        {joins ? say('identity.joins') : say('identity.known')}{' · '}
        {say('identity.ruleCount', { count: rules.length })}
      </p>
      <p class='small'>{sayWith('identity.callback', { url: <code>{callback}</code> })}</p>
      <p class='small'>{sayWith('identity.logout', { url: <code>{logout}</code> })}</p>
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
      <p>{say('identity.words')}</p>
      <div><button type='button' class='primary' onClick={() => { editing.value = { provider: undefined } }}>
        <Plus size={16} aria-hidden='true' />{say('identity.add')}
      </button>
      </div>
      <Loaded of={providers}>{({ items }) => <>
        {items.length === 0 && <p class='muted'>{say('identity.none')}</p>}
        {items.map((provider) => <ProviderCard
          key={provider.id} provider={provider} onChange={reload}
          onEdit={() => { editing.value = { provider } }} onRemove={() => { removing.value = provider }}
        />)}
      </>}
      </Loaded>
      {editing.value && <ProviderDialog provider={editing.value.provider} onClose={close} />}
      {removing.value && <ConfirmDialog
        title={say('identity.remove')} verb={say('common.remove')} onClose={() => { removing.value = undefined }}
        act={() => remove(removing.value?.id ?? '')}
      >{say('identity.remove.words', { name: removing.value.name })}
      </ConfirmDialog>}
    </div>
  )
}
