import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { Notice, ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { isRead, wayOf, wordsOf, type Scope } from './words'

type Asked = Schemas['AuthorizationRequest']

const Who = ({ of: { client, redirect, user_code: code } }: { of: Asked }) => <>
  {client.host === null
    ? <Notice tone='warn'>The program calls itself “{client.name}”. Nobody vouches for that name.</Notice>
    : <Notice>The program is described by <strong>{client.host}</strong>, and calls itself “{client.name}”.</Notice>}
  <p>
    {redirect.kind === 'web' && <>The answer goes to <strong>{redirect.host}</strong>.</>}
    {redirect.kind === 'computer' && <>The answer goes to a program on this computer ({redirect.host}).</>}
    {redirect.kind === 'app' && <>The answer goes to the app that opens <strong>{redirect.host}:</strong> addresses.</>}
    {redirect.kind === 'device' && <>The answer goes to the device that shows <strong class='mono'>{code}</strong>.</>}
    {' '}Go on only if you have just begun this there yourself.
  </p>
</>

interface ChoiceProps { title: string, scopes: Scope[], chosen: Signal<Scope[]> }

const Choices = ({ title, scopes, chosen }: ChoiceProps) => scopes.length === 0
  ? null
  : <fieldset class='stack tight'>
    <legend>{title}</legend>
    {scopes.map((scope) => <label key={scope} class='check'>
      <input
        type='checkbox' checked={chosen.value.includes(scope)}
        onChange={({ currentTarget: { checked } }) => {
          chosen.value = checked ? [...chosen.value, scope] : chosen.value.filter((one) => one !== scope)
        }}
      /> <span>{wordsOf(scope)} <code class='small muted'>{scope}</code></span>
    </label>)}
  </fieldset>

const Consent = ({ of }: { of: Asked }) => {
  const chosen = useSignal(of.scopes)
  const decide = useAction(async (decision: 'allow' | 'deny') => {
    const made = await body(api.POST('/oauth/consents/{request_id}/decision', {
      params: { path: { request_id: of.id } },
      body: { decision, ...(decision === 'allow' && { scopes: chosen.value }) }
    }))
    location.assign(made.continue_url)
  })
  return (
    <form class='card stack' onSubmit={(event) => { event.preventDefault(); void decide.run('allow') }}>
      <Who of={of} />
      <p>It would act as <strong>{of.person}</strong> in the workspace <strong>{of.workspace}</strong>,{' '}
        {wayOf(of.resource)}, and never do more than you may yourself.
      </p>
      <Choices title='It may read' scopes={of.scopes.filter(isRead)} chosen={chosen} />
      <Choices title='It may propose' scopes={of.scopes.filter((scope) => !isRead(scope))} chosen={chosen} />
      <p><strong>It can never approve.</strong> What it proposes waits in the inbox until a person decides, and nothing
        is done before.
      </p>
      {decide.problem && <ProblemNotice problem={decide.problem} />}
      <div class='row'>
        <button class='primary' disabled={decide.busy || chosen.value.length === 0}>Let it in</button>
        <button type='button' disabled={decide.busy} onClick={() => { void decide.run('deny') }}>Do not let it in
        </button>
      </div>
      <p class='small muted'>You can disconnect it at any time, in Settings, Connected assistants.</p>
    </form>
  )
}

/** Another program asks to be let in. */
export default function ConnectPage ({ id }: { id: string }) {
  const asked = useResource([id], (signal) =>
    body(api.GET('/oauth/consents/{request_id}/request', { params: { path: { request_id: id } }, signal })))
  return (
    <div class='page'>
      <PageHead title='Let a program in'>
        {asked.data && <>“{asked.data.client.name}” asks to use Steward for you.</>}
      </PageHead>
      {asked.problem?.code === 'not_found'
        ? <Notice tone='warn'>This request was answered, has expired, or began in another browser. Start again in the
          program.
        </Notice>
        : <Loaded of={asked}>{(of) => <Consent of={of} />}</Loaded>}
    </div>
  )
}
