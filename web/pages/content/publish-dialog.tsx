import { useSignal, type Signal } from '@preact/signals'
import { Link, useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ProposalDialog } from '../../approvals/proposal'
import { Choice, TextField } from '../../parts/form'
import { Notice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { formatKind } from './kinds'
import { say, sayEach, sayWith } from '../../texts/say'

type Content = Schemas['Content']
type Target = Schemas['PublishTarget']

/** Mail, and each network, takes what was written for it. */
const isFor = ({ channel, network }: Content, kind: Target['kind']): boolean => {
  if (kind === 'mail') return channel === 'email'
  const isNetwork = kind === 'mastodon' || kind === 'bluesky' || kind === 'linkedin'
  return !isNetwork || (channel === 'social' && network === kind)
}

/** The brand's targets for this channel and locale. */
const fits = (content: Content) => (target: Target): boolean => target.enabled !== false &&
  isFor(content, target.kind) && fitsBoth(content, target)

const fitsBoth = ({ channel, locale }: Content, target: Target): boolean =>
  (!target.channels?.length || target.channels.includes(channel)) &&
  (!target.locales?.length || target.locales.includes(locale))

const Targets = ({ targets, chosen }: { targets: Target[], chosen: Signal<string[]> }) => <fieldset class='stack tight'>
  <legend>{say('calendar.where')}</legend>
  {targets.map(({ target_id: id, name, kind }) => <label key={id} class='check'>
    <input
      type='checkbox' checked={chosen.value.includes(id)} onChange={({ currentTarget: { checked } }) => {
        chosen.value = checked ? [...chosen.value, id] : chosen.value.filter((one) => one !== id)
      }}
    />{name} <span class='muted'>{formatKind(kind)}</span>
  </label>)}
</fieldset>

const whens = { now: 'content.publish.now', later: 'content.publish.later' } as const
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone

interface WhenProps { when: Signal<keyof typeof whens>, at: Signal<string> }

const When = ({ when, at }: WhenProps) => <div class='fields'>
  <Choice label={say('common.when')} value={when} options={sayEach(whens)} />
  {when.value === 'later' && <TextField
    label={say('content.publish.time', { zone: timezone })} type='datetime-local' value={at} required
  />}
</div>

const titles = { publish: 'content.publish', unpublish: 'content.unpublish' } as const
const names = { publish: 'publishContent', unpublish: 'unpublishContent' } as const
interface Props { content: Content, what: keyof typeof titles, onClose: () => void, onChange: () => void }

const PublicationForm = ({ content, what, targets, onClose, onChange }: Props & { targets: Target[] }) => {
  const [, navigate] = useLocation()
  const chosen = useSignal(targets.map(({ target_id: id }) => id))
  const when = useSignal<keyof typeof whens>('now')
  const at = useSignal('')
  const args = () => ({
    content_id: content.id,
    targets: chosen.value,
    ...(when.value === 'later' ? { publish_at: at.value, timezone } : {})
  })
  const onDone = () => {
    onChange()
    navigate(`/content/${content.id}/publications`)
  }
  return (
    <ProposalDialog
      title={say(titles[what])} name={names[what]} args={args} onDone={onDone} onClose={onClose}
      ready={chosen.value.length > 0}
    >
      <p>{what === 'publish'
        ? say('content.publish.words', { version: String(content.approved_version) })
        : say('content.unpublish.words')}
      </p>
      {targets.length === 0
        ? <Notice tone='warn'>
          {sayWith('content.noTarget', {
            link: <Link href={`/projects/${content.project_id}/targets`}>{say('content.noTarget.link')}</Link>
          })}
        </Notice>
        : <Targets targets={targets} chosen={chosen} />}
      <When when={when} at={at} />
    </ProposalDialog>
  )
}

/** Takes targets and a time, shows what that changes, and asks for approval of exactly that. */
export const PublishDialog = (props: Props) => {
  const { content: { project_id: id } } = props
  const brand = useResource([id], (signal) =>
    body(api.GET('/content/brands/{project_id}', { params: { path: { project_id: id } }, signal })))
  return (
    <Loaded of={brand}>
      {(data) => <PublicationForm {...props} targets={data.publish_targets.filter(fits(props.content))} />}
    </Loaded>
  )
}
