import { useId } from 'preact/hooks'
import type { Signal } from '@preact/signals'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { field } from '../../parts/cell'
import { AreaField, Choice, NumberField, TextField } from '../../parts/form'
import { labels, type Field, type Values } from './values'
import { sources } from './words'

interface Props { of: Signal<Values>, optionalCron?: boolean | undefined }

const Schedule = ({ of, optionalCron = false }: Props) => {
  const zones = useId()
  return (
    <>
      <TextField
        label={labels.cron} class='mono' value={field(of, 'cron')} pointer='/cron' required={!optionalCron}
        maxLength={100} placeholder={optionalCron ? '0 9 * * *' : '0 8 * * 1-5'}
      />
      <p class='small muted'>Minute, hour, day of the month, month, day of the week: <code>0 8 * * 1-5</code> is each
        weekday at 8:00. {optionalCron && 'Left empty: each day at 9:00 UTC.'}
      </p>
      <TextField
        label={labels.time_zone} value={field(of, 'time_zone')} pointer='/time_zone' required={!optionalCron}
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
  return <Choice label={labels.app_id} value={field(of, 'app_id')} options={{ '': 'Each app', ...named }} />
}

const Bounds = ({ of }: Props) => <div class='fields'>
  <NumberField
    label={labels.budget_usd} value={field(of, 'budget_usd')} pointer='/budget_usd' min={0.000001} max={1000}
    step='any'
  />
  <NumberField label={labels.runs_a_day} value={field(of, 'runs_a_day')} pointer='/runs_a_day' min={1} max={1000} />
</div>

/** The fields of a trigger that its kind and source have. */
export const TriggerFields = ({ of, fields, optionalCron }: Props & { fields: readonly Field[] }) => {
  const has = (name: Field) => fields.includes(name)
  return (
    <>
      <TextField label={labels.name} value={field(of, 'name')} pointer='/name' required maxLength={80} />
      <AreaField
        label={labels.question} value={field(of, 'question')} pointer='/question' required rows={4} maxLength={4000}
        placeholder='What changed in cost since yesterday, and why?'
      />
      {has('source') && <Choice label={labels.source} value={field(of, 'source')} options={sources} />}
      {has('topic_arn') && <TextField
        label={labels.topic_arn} class='mono' value={field(of, 'topic_arn')} pointer='/topic_arn' required
        placeholder='arn:aws:sns:eu-west-1:123456789012:alarms'
      />}
      {has('secret') && <TextField
        label={labels.secret} type='password' autoComplete='off' value={field(of, 'secret')}
        pointer='/secret' required
      />}
      {has('app_id') && <AppChoice of={of} />}
      {has('min_impact_usd') && <NumberField
        label={labels.min_impact_usd} value={field(of, 'min_impact_usd')} pointer='/min_impact_usd' min={0} step='any'
      />}
      {has('cron') && <Schedule of={of} optionalCron={optionalCron} />}
      <Bounds of={of} />
    </>
  )
}
