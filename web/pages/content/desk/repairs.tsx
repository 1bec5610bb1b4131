import { api, body, type Schemas } from '../../../api/client'
import { usePages } from '../../../api/pages'
import { ActionButton } from '../../../parts/action-button'
import { Badge } from '../../../parts/badge'
import { History } from '../../../parts/icons'
import { List } from '../../../parts/list'
import { Empty } from '../../../parts/states'
import { Table } from '../../../parts/table'
import { Time } from '../../../parts/time'
import { formatField } from '../fields'
import { say } from '../../../texts/say'
import { translate } from '../../../texts/translate'

type Content = Schemas['Content']
type Repair = Schemas['ContentRepair']
interface Props { content: Content, onChange: () => void }

const Row = ({ repair, content, onChange }: Props & { repair: Repair }) => {
  const undo = async () => {
    const path = { content_id: content.id, repair_id: repair.id }
    await body(api.POST('/content/{content_id}/repairs/{repair_id}/undo', {
      params: { path, header: { 'If-Match': `"r${content.revision}"` } }
    }))
    onChange()
  }
  return (
    <tr>
      <td><del>{repair.before}</del> → <ins>{repair.after === '' ? say('repair.nothing') : repair.after}</ins>
        <div class='small muted'>{formatField(repair.field)} · v{repair.version}</div>
      </td>
      <td>{translate('findings', repair.finding.message)}
        <div class='small muted'><code>{repair.finding.rule_id}</code></div>
      </td>
      <td class='nowrap'>{repair.created_by.name}<div class='small'><Time at={repair.created_at} /></div></td>
      <td>{repair.undone_version === null
        ? <ActionButton
            variant='small' act={undo}
            label={say('repair.undoOne', { before: repair.before, after: repair.after })}
        >{say('repair.undo')}
        </ActionButton>
        : <Badge>{say('repair.undone', { version: String(repair.undone_version) })}</Badge>}
      </td>
    </tr>
  )
}

/** Every automatic repair, which can be taken back by itself. */
export const Repairs = ({ content, onChange }: Props) => {
  const repairs = usePages<Repair>([content.id, content.revision], (cursor, signal) =>
    body(api.GET('/content/{content_id}/repairs', {
      params: { path: { content_id: content.id }, query: { limit: 100, cursor } }, signal
    })))
  const none = (
    <Empty icon={History} title={say('repair.none')}>
      <p>{say('repair.none.words')}</p>
    </Empty>
  )
  return (
    <section class='card flush' aria-label={say('content.tab.repairs')}>
      <List of={repairs} empty={none}>
        {(items) => <Table
          columns={[say('repair.change'), say('repair.finding'), say('repair.by'), { unseen: say('content.do') }]}
        >
          {items.map((repair) => <Row key={repair.id} repair={repair} content={content} onChange={onChange} />)}
        </Table>}
      </List>
    </section>
  )
}
