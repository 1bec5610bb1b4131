import { useSignal } from '@preact/signals'
import { History } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { ActionButton } from '../../parts/action-button'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { Compare } from './compare'
import { say, type Key } from '../../texts/say'

type Version = Schemas['ContentVersion']
interface Props { content: Schemas['Content'], onChange: () => void }

const origins = {
  generated: 'content.origin.generated',
  edited: 'content.origin.edited',
  merged: 'content.origin.merged',
  restored: 'content.origin.restored',
  imported: 'content.origin.imported'
} as const satisfies Record<Version['origin'], Key>

interface RowProps extends Props { version: Version, onCompare: () => void }

const Row = ({ version, content, onChange, onCompare }: RowProps) => {
  const restore = async () => {
    const params = { path: { content_id: content.id, version: version.version } }
    await body(api.POST('/content/{content_id}/versions/{version}/restore', { params }))
    onChange()
  }
  return (
    <tr>
      <td>v{version.version}</td><td>{say(origins[version.origin])}</td>
      <td><StateBadge state={version.review_state} /><div class='small'>{version.review_comment}</div></td>
      <td class='numeric'>{version.score}</td>
      <td class='nowrap'><Time at={version.created_at} /></td>
      <td>{version.version !== content.head_version && <div class='row tight fixed'>
        <button type='button' class='small' onClick={onCompare}>{say('content.tab.compare')}
          <span class='unseen'>{say('content.compareOne', { version: String(version.version) })}</span>
        </button>
        <ActionButton
          variant='small' act={restore} label={say('content.restoreOne', { version: String(version.version) })}
        >{say('content.restore')}
        </ActionButton>
      </div>}
      </td>
    </tr>
  )
}

/** All versions, with comparison and restoring. */
export const Versions = ({ content, onChange }: Props) => {
  const from = useSignal<number | undefined>(content.head_version > 1 ? content.head_version - 1 : undefined)
  const versions = usePages<Version>([content.id, content.revision], (cursor, signal) => body(api.GET(
    '/content/{content_id}/versions',
    { params: { path: { content_id: content.id }, query: { limit: 30, cursor } }, signal })))
  return (
    <div class='stack'>
      <section class='card flush' aria-label={say('content.tab.versions')}>
        <List of={versions} empty={<Empty icon={History} title={say('content.versions.none')} />}>
          {(items) => <Table
            columns={[
              say('content.version'), say('content.origin'), say('content.review'), { numeric: say('contents.score') },
              say('content.written'), { unseen: say('content.do') }
            ]}
          >
            {items.map((version) => <Row
              key={version.version} version={version} content={content} onChange={onChange}
              onCompare={() => { from.value = version.version }}
            />)}
          </Table>}
        </List>
      </section>
      {from.value !== undefined && <Compare content={content} from={from.value} />}
    </div>
  )
}
