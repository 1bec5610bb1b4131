import { Send } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ProposalButton } from '../../approvals/proposal-button'
import { Badge, StateBadge } from '../../parts/badge'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { formatKind } from './kinds'
import { say, type Key } from '../../texts/say'

type Publication = Schemas['Publication']
interface Props { content: Schemas['Content'], onChange: () => void }

const cancellable = new Set<Publication['state']>(['scheduled', 'queued', 'retrying'])

const actions = {
  publish: 'content.action.publish', update: 'content.action.update', unpublish: 'content.action.unpublish'
} as const satisfies Record<Publication['action'], Key>

const Attempts = ({ attempts }: { attempts: Publication['attempts'] }) => attempts.length === 0
  ? null
  : <details class='small'>
    <summary>{say('content.attempts', { count: attempts.length })}</summary>
    <ul>{attempts.map((attempt, index) => <li key={index}>
      <Time at={attempt.at} /> · {attempt.http_status ?? attempt.error ?? say('content.attempt.done')} ·{' '}
      {attempt.duration_ms} ms
    </li>)}
    </ul>
  </details>

/** The site sends this URL: a click on any other scheme could run a script here. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

const External = ({ external }: { external: Publication['external'] }) => external?.url && isWebAddress(external.url)
  ? <a href={external.url} target='_blank' rel='noopener noreferrer'>
    {external.pr_number === null ? say('common.open') : say('content.pull', { number: String(external.pr_number) })}
  </a>
  : null

const Row = ({ publication, onChange }: { publication: Publication, onChange: () => void }) => {
  const args = () => ({ content_id: publication.content_id, publication_id: publication.id })
  return (
    <tr>
      <td>{publication.target_name} <span class='muted'>{formatKind(publication.kind)}</span>
        <div class='small'><External external={publication.external} /></div>
      </td>
      <td>{say(actions[publication.action])} v{publication.version}</td>
      <td><StateBadge state={publication.state} />
        {publication.overdue && <> <Badge tone='warn'>{say('content.overdue')}</Badge></>}
        {publication.error && <div class='small'>{publication.error}</div>}
        {publication.warnings.map(({ content_id: id, message }) => <div key={id} class='small'>
          <Badge tone='warn'>{say('content.soonAfter')}</Badge> {message}
        </div>)}
        <Attempts attempts={publication.attempts} />
      </td>
      <td class='nowrap'><Time at={publication.finished_at ?? publication.publish_at ?? publication.created_at} /></td>
      <td>{cancellable.has(publication.state) && <ProposalButton
        variant='small' name='cancelPublication' args={args} onDone={onChange}
        title={say('content.cancelOne', { name: publication.target_name })}
      >{say('common.cancel')}
      </ProposalButton>}
      {publication.state === 'failed' && <ProposalButton
        variant='small' name='retryPublication' args={args} onDone={onChange}
        title={say('content.againOne', { name: publication.target_name })}
      >{say('problem.again')}
      </ProposalButton>}
      </td>
    </tr>
  )
}

/** The publications by target: planned and done, with their outcome. */
export const Publications = ({ content, onChange }: Props) => {
  const publications = useResource([content.id, content.revision], (signal) => body(api.GET(
    '/content/{content_id}/publications', { params: { path: { content_id: content.id } }, signal })), { every: 5_000 })
  const changed = () => {
    publications.reload()
    onChange()
  }
  return (
    <section class='card flush' aria-label={say('content.tab.publications')}>
      <Loaded of={publications}>{({ items }) => items.length === 0
        ? <Empty icon={Send} title={say('content.unpublished')}>
          <p>{say('content.unpublished.words')}</p>
        </Empty>
        : <Table
            columns={[
              say('common.target'), say('common.what'), say('common.state'), say('common.when'),
              { unseen: say('common.change') }
            ]}
        >
          {items.map((one) => <Row key={one.id} publication={one} onChange={changed} />)}
        </Table>}
      </Loaded>
    </section>
  )
}
