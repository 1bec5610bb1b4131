import { Send } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ProposalButton } from '../../approvals/proposal-button'
import { Badge, StateBadge } from '../../parts/badge'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'

type Publication = Schemas['Publication']
interface Props { content: Schemas['Content'], onChange: () => void }

const cancellable = new Set<Publication['state']>(['scheduled', 'queued', 'retrying'])

const Attempts = ({ attempts }: { attempts: Publication['attempts'] }) => attempts.length === 0
  ? null
  : <details class='small'>
    <summary>{attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}</summary>
    <ul>{attempts.map((attempt, index) => <li key={index}>
      <Time at={attempt.at} /> · {attempt.http_status ?? attempt.error ?? 'done'} · {attempt.duration_ms} ms
    </li>)}
    </ul>
  </details>

/** The site sends this URL: a click on any other scheme could run a script here. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

const External = ({ external }: { external: Publication['external'] }) => external?.url && isWebAddress(external.url)
  ? <a href={external.url} target='_blank' rel='noopener noreferrer'>
    {external.pr_number === null ? 'Open' : `Pull request #${external.pr_number}`}
  </a>
  : null

const Row = ({ publication, onChange }: { publication: Publication, onChange: () => void }) => {
  const args = () => ({ content_id: publication.content_id, publication_id: publication.id })
  return (
    <tr>
      <td>{publication.target_name} <span class='muted'>{publication.kind}</span>
        <div class='small'><External external={publication.external} /></div>
      </td>
      <td>{publication.action} v{publication.version}</td>
      <td><StateBadge state={publication.state} />{publication.overdue && <> <Badge tone='warn'>overdue</Badge></>}
        {publication.error && <div class='small'>{publication.error}</div>}
        {publication.warnings.map(({ content_id: id, message }) => <div key={id} class='small'>
          <Badge tone='warn'>soon after</Badge> {message}
        </div>)}
        <Attempts attempts={publication.attempts} />
      </td>
      <td class='nowrap'><Time at={publication.finished_at ?? publication.publish_at ?? publication.created_at} /></td>
      <td>{cancellable.has(publication.state) && <ProposalButton
        variant='small' name='cancelPublication' args={args} title={`Cancel ${publication.target_name}`}
        onDone={onChange}
      >Cancel
      </ProposalButton>}
      {publication.state === 'failed' && <ProposalButton
        variant='small' name='retryPublication' args={args} title={`Try again: ${publication.target_name}`}
        onDone={onChange}
      >Try again
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
    <section class='card flush' aria-label='Publications'>
      <Loaded of={publications}>{({ items }) => items.length === 0
        ? <Empty icon={Send} title='Not published'>
          <p>Approved content is published to the targets of the project's brand.</p>
        </Empty>
        : <Table columns={['Target', 'What', 'State', 'When', { unseen: 'Change' }]}>
          {items.map((one) => <Row key={one.id} publication={one} onChange={changed} />)}
        </Table>}
      </Loaded>
    </section>
  )
}
