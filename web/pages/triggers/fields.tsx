import { useId } from 'preact/hooks'
import type { Signal } from '@preact/signals'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { field } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import { ScheduleFields } from './schedule-fields'
import { labels, type Field, type Values } from './values'
import { nameSources } from './words'
import { say } from '../../texts/say'

interface Props { of: Signal<Values>, optionalCron?: boolean | undefined }

const Schedule = ({ of, optionalCron = false }: Props) => {
  const zones = useId()
  return (
    <>
      <ScheduleFields cron={field(of, 'cron')} isOptional={optionalCron} />
      <TextField
        label={say(labels.time_zone)} value={field(of, 'time_zone')} pointer='/time_zone' required={!optionalCron}
        list={zones}
      />
      <datalist id={zones}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => <option key={zone} value={zone} />)}
      </datalist>
    </>
  )
}

/** Which app's builds count. */
const AppChoice = ({ of }: Props) => {
  const apps = useResource([], (signal) =>
    body(api.GET('/deployments/apps', { params: { query: { limit: 100 } }, signal })))
  const named = Object.fromEntries((apps.data?.items ?? []).map(({ id, name }) => [id, name]))
  return (
<Choice
  label={say(labels.app_id)} value={field(of, 'app_id')} options={{ '': say('trigger.eachApp'), ...named }}
/>
  )
}

const Bounds = ({ of }: Props) => <div class='fields'>
  <NumberField
    label={say(labels.budget_usd)} value={field(of, 'budget_usd')} pointer='/budget_usd' min={0.000001} max={1000}
    step='any'
  />
  <NumberField
    label={say(labels.runs_a_day)} value={field(of, 'runs_a_day')} pointer='/runs_a_day' min={1} max={1000}
  />
</div>

/** The fields of a trigger that its kind and source have. */
export const TriggerFields = ({ of, fields, optionalCron }: Props & { fields: readonly Field[] }) => {
  const has = (name: Field) => fields.includes(name)
  return (
    <>
      <TextField label={say(labels.name)} value={field(of, 'name')} pointer='/name' required maxLength={80} />
      <AreaField
        label={say(labels.question)} value={field(of, 'question')} pointer='/question'
        required rows={4} maxLength={4000}
        placeholder={say('trigger.question.hint')}
      />
      {has('source') && <Choice label={say(labels.source)} value={field(of, 'source')} options={nameSources()} />}
      {has('topic_arn') && <TextField
        label={say(labels.topic_arn)} class='mono' value={field(of, 'topic_arn')} pointer='/topic_arn' required
        placeholder='arn:aws:sns:eu-west-1:123456789012:alarms'
      />}
      {has('secret') && <TextField
        label={say(labels.secret)} type='password' autoComplete='off' value={field(of, 'secret')}
        pointer='/secret' required
      />}
      {has('app_id') && <AppChoice of={of} />}
      {has('min_impact_usd') && <NumberField
        label={say(labels.min_impact_usd)} value={field(of, 'min_impact_usd')} pointer='/min_impact_usd'
        min={0} step='any'
      />}
      {has('cron') && <Schedule of={of} optionalCron={optionalCron} />}
      <Bounds of={of} />
    </>
  )
}
