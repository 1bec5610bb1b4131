import { useSignal, type Signal } from '@preact/signals'
import { useAction } from '../../../api/action'
import { api, body, type Schemas } from '../../../api/client'
import type { Cell } from '../../../parts/cell'
import { Copied } from '../../../parts/copied'
import { FormProblem } from '../../../parts/field-problem'
import { AreaField, Choice, Form, TextField } from '../../../parts/form'
import { formatMoney } from '../../../parts/money'
import { Notice, ProblemNotice } from '../../../parts/notice'
import { showAnswering } from '../../../shell/session'
import { say, sayEach } from '../../../texts/say'
import { bodyOf, fieldsOf, has, type Connection, type Fields } from './fields'

const labels = {
  anthropic: 'settings.model.anthropic',
  bedrock: 'settings.model.bedrock',
  vertex: 'settings.model.vertex',
  compatible: 'settings.model.compatible'
} as const
const ways = { key: 'settings.model.byKey', role: 'settings.model.byRole' } as const
const examples = {
  anthropic: 'claude-sonnet-5-5',
  bedrock: 'eu.anthropic.claude-sonnet-5-5',
  vertex: 'claude-sonnet-5-5',
  compatible: 'qwen3-coder'
} as const
const pointers = ['/model', '/address', '/region', '/project', '/role_arn', '/api_key', '/price']

const cellOf = <Name extends keyof Fields>(of: Signal<Fields>, name: Name): Cell<Fields[Name]> => ({
  get value () { return of.value[name] },
  set value (next) { of.value = { ...of.value, [name]: next } }
})

const Key = ({ of, isStored }: { of: Signal<Fields>, isStored: boolean }) => {
  const { provider } = of.value
  const placeholder = isStored ? say('settings.model.keyStored') : undefined
  if (provider === 'vertex') {
    return (
<AreaField
  label={say('settings.model.serviceAccount')} value={cellOf(of, 'api_key')} pointer='/api_key' rows={4}
  placeholder={placeholder ?? '{ "type": "service_account", … }'} spellcheck={false} maxLength={10_000}
/>
    )
  }
  return (
<TextField
  label={say('settings.model.key')} value={cellOf(of, 'api_key')} pointer='/api_key' type='password'
  autoComplete='off' placeholder={placeholder} maxLength={10_000}
/>
  )
}

const Where = ({ of, connection }: { of: Signal<Fields>, connection: Connection }) => {
  const { provider, by } = of.value
  const isStored = connection.stored?.has_api_key === true && connection.stored.provider === provider
  return (
<>
    {provider === 'compatible' && <TextField
      label={say('settings.model.address')} value={cellOf(of, 'address')} pointer='/address' type='url' required
      placeholder='https://models.example.com'
    />}
    {has(of.value, 'region') && <TextField
      label={say('settings.model.region')} value={cellOf(of, 'region')} pointer='/region' required
      placeholder={provider === 'vertex' ? 'global' : 'eu-west-1'}
    />}
    {has(of.value, 'project') && <TextField
      label={say('settings.model.project')} value={cellOf(of, 'project')} pointer='/project' required
      placeholder='my-project'
    />}
    {provider === 'bedrock' &&
      <Choice label={say('settings.model.by')} value={cellOf(of, 'by')} options={sayEach(ways)} />}
    {has(of.value, 'api_key') && <Key of={of} isStored={isStored} />}
    {provider === 'bedrock' && by === 'role' && <>
      <TextField
        label={say('settings.model.role')} value={cellOf(of, 'role_arn')} pointer='/role_arn' required
        placeholder='arn:aws:iam::123456789012:role/steward-model'
      />
      <Copied label={say('settings.model.externalId')} text={connection.external_id} />
    </>}
</>
  )
}

/** What a million tokens cost, where no list says so. */
const Price = ({ of }: { of: Signal<Fields> }) => {
  const isNeeded = of.value.provider === 'compatible'
  return (
    <fieldset class='stack tight'>
      <legend>{isNeeded ? say('settings.model.price') : say('settings.model.priceOptional')}</legend>
      <div class='row'>
        <TextField
          label={say('settings.model.input')} value={cellOf(of, 'input')} pointer='/price' type='number' min={0}
          step='any' required={isNeeded}
        />
        <TextField
          label={say('settings.model.output')} value={cellOf(of, 'output')} type='number' min={0} step='any'
          required={isNeeded}
        />
      </div>
    </fieldset>
  )
}

const Tested = ({ of: { model, reply, took_ms: ms, cost, price } }: { of: Schemas['ModelTest'] }) => <Notice tone='good'>
  <strong>{say('settings.model.answered', { model, seconds: (ms / 1_000).toFixed(1) })}</strong>
  <blockquote>{reply}</blockquote>
  <div class='small'>{say('settings.model.cost', {
    cost: formatMoney(cost), input: String(price.input), output: String(price.output)
  })}
  </div>
</Notice>

/** Describes a model, tries it, and connects it. */
export const Connect = ({ connection, onChange }: { connection: Connection, onChange: () => void }) => {
  const fields = useSignal(fieldsOf(connection))
  const tested = useSignal<Schemas['ModelTest'] | undefined>(undefined)
  const test = useAction(async () => {
    tested.value = undefined
    connect.clear()
    tested.value = await body(api.POST('/account/workspace/model/test', { body: bodyOf(fields.value) }))
  })
  const connect = useAction(async () => {
    test.clear()
    showAnswering(await body(api.PUT('/account/workspace/model', { body: bodyOf(fields.value) })))
    onChange()
  })
  const problem = test.problem ?? connect.problem
  return (
    <section class='card stack' aria-label={say('chat.connectModel')}>
      <h2>{connection.stored ? say('settings.model.change') : say('chat.connectModel')}</h2>
      <Form onSubmit={() => connect.run()}>
        <FormProblem.Provider value={problem}>
          <Choice
            label={say('settings.model.provider')} value={cellOf(fields, 'provider')} options={sayEach(labels)}
          />
          <Where of={fields} connection={connection} />
          <TextField
            label={say('settings.model')} value={cellOf(fields, 'model')} pointer='/model' required maxLength={100}
            placeholder={examples[fields.value.provider]}
          />
          <Price of={fields} />
        </FormProblem.Provider>
        {problem && <ProblemNotice problem={problem} shown={pointers} />}
        {tested.value && <Tested of={tested.value} />}
        <p class='small muted'>{say('settings.model.testWords')}</p>
        <div class='row'>
          <button class='primary' disabled={connect.busy || test.busy}>
            {connect.busy ? say('settings.model.connecting') : say('settings.model.connect')}
          </button>
          <button
            type='button' disabled={connect.busy || test.busy} onClick={({ currentTarget: { form } }) => {
              if (form?.reportValidity() !== false) void test.run()
            }}
          >{test.busy ? say('settings.model.testing') : say('settings.model.test')}
          </button>
        </div>
      </Form>
    </section>
  )
}
