import { useSignal } from '@preact/signals'
import { api, body } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Copied } from '../../parts/copied'
import { TextField } from '../../parts/form'
import { FormCard } from '../../parts/form-card'
import { Notice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { say } from '../../texts/say'

const path = '/content/calendar/subscriptions'

/** Addresses at which other calendars, such as that of a phone, read this one. */
export const Subscriptions = ({ project }: { project: string }) => {
  const name = useSignal('')
  const url = useSignal('')
  const made = useSignal(0)
  const found = useResource([made.value], (signal) => body(api.GET(path, { params: { query: {} }, signal })))
  const add = useAction(async () => {
    const added = await body(api.POST(path, {
      body: { name: name.value, ...(project !== '' && { project_id: project }) }
    }))
    url.value = added.url
    name.value = ''
    made.value++
  })
  const remove = async (id: string) => {
    await body(api.DELETE('/content/calendar/subscriptions/{calendar_id}', { params: { path: { calendar_id: id } } }))
    made.value++
  }
  return (
    <section class='stack' aria-label={say('calendar.subscriptions')}>
      <FormCard title={say('calendar.other')} verb={say('calendar.make')} action={add}>
        <TextField label={say('common.name')} value={name} required maxLength={100} />
      </FormCard>
      {url.value !== '' && <Notice tone='good'>
        <p>{say('calendar.once')}</p>
        <Copied label={say('calendar.address')} text={url.value} />
      </Notice>}
      <Loaded of={found}>{({ items }) => items.length === 0
        ? null
        : <Table columns={[say('common.name'), say('calendar.lastRead'), { unseen: say('common.delete') }]}>
          {items.map((item) => <tr key={item.id}>
            <td>{item.name}</td>
            <td>{item.last_used_at === null ? say('calendar.never') : <Time at={item.last_used_at} />}</td>
            <td>
              <ActionButton
                variant='small' label={say('calendar.deleteOne', { name: item.name })} act={() => remove(item.id)}
              >{say('common.delete')}
              </ActionButton>
            </td>
          </tr>)}
        </Table>}
      </Loaded>
    </section>
  )
}
