import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action'
import { ActionButton } from '../../parts/action-button'
import { field } from '../../parts/cell'
import { Combobox, findAmong } from '../../parts/combobox'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { Copied } from '../../parts/copied'
import { Dialog } from '../../parts/dialog'
import { EnvironmentChoice } from '../../parts/environment-choice'
import { FormCard, ShownOnce } from '../../parts/form-card'
import { AreaField, Choice, Form, NumberField, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ListChoice } from '../../parts/list-choice'
import { ListEditor } from '../../parts/list-editor'
import { PersonChoice } from '../../parts/person-choice'
import { ProjectChoice } from '../../parts/project-choice'
import { RepositoryChoice } from '../../parts/repository-choice'
import { Part } from './part'

const nothing = () => Promise.resolve()

const Dialogs = () => {
  const open = useSignal('')
  const close = () => { open.value = '' }
  return (
    <>
      {['dialog', 'confirm-dialog', 'form-dialog'].map((name) => <Part key={name} name={name}>
        <div><button type='button' onClick={() => { open.value = name }}>Open: {name}</button></div>
      </Part>)}
      {open.value === 'dialog' && <Dialog title='A dialog' onClose={close}>
        <p>Escape closes it.</p><div class='actions'><button type='button' onClick={close}>Close</button></div>
      </Dialog>}
      {open.value === 'confirm-dialog' && <ConfirmDialog title='Delete it' verb='Delete' act={nothing} onClose={close}>
        It cannot be undone.
      </ConfirmDialog>}
      {open.value === 'form-dialog' && <FormDialog title='A form' verb='Save' act={nothing} onClose={close}>
        <p>Its fields.</p>
      </FormDialog>}
    </>
  )
}

const Buttons = () => <Part name='action-button'>
  <div class='row'>
    {['', 'primary', 'danger', 'quiet', 'small'].map((variant) =>
      <ActionButton key={variant} variant={variant} act={nothing}>{variant || 'plain'}</ActionButton>)}
    <ActionButton disabled act={nothing}>disabled</ActionButton>
    <ActionButton pressed act={nothing}>pressed</ActionButton>
    <a class='button' href='#/components'>a link</a>
  </div>
</Part>

const cities = ['Antwerp', 'Bergen', 'Cork', 'Dresden']
const findCity = findAmong(cities.map((city) => ({ key: city, label: city, item: city })))

const Search = () => {
  const city = useSignal('')
  return (
    <Part name='combobox'>
      <Combobox label='City' chosen={city.value} find={findCity} onChoose={(item = '') => { city.value = item }} />
    </Part>
  )
}

/** What a person types into, or presses. */
export const Fields = () => {
  const text = useSignal('')
  const count = useSignal(2)
  const size = useSignal<'small' | 'large'>('small')
  const choices = {
    person: useSignal(''),
    account: useSignal(''),
    environment: useSignal(''),
    project: useSignal(''),
    repository: useSignal('')
  }
  const entries = useSignal([{ term: 'synergy' }])
  const action = useAction(nothing)
  return (
    <>
      <Buttons />
      <Part name='form'>
        <Form unguarded onSubmit={nothing} label='Every field'>
          <TextField label='A text' value={text} placeholder='what goes here' />
          <TextField label='A text that is refused' value={text} aria-invalid />
          <AreaField label='A long text' value={text} />
          <NumberField label='A number' value={count} />
          <Choice label='A choice' value={size} options={{ small: 'Small', large: 'Large' }} />
          <label class='check'><input type='checkbox' /> <span>A box to tick</span></label>
        </Form>
      </Part>
      <Part name='form-card'>
        <FormCard title='A row of fields' verb='Create' action={action}>
          <TextField label='Name' value={text} /><NumberField label='Days' value={count} />
        </FormCard>
        <ShownOnce text='stw_pat_of_the_example'>It is shown only once.</ShownOnce>
      </Part>
      <Part name='list-editor'>
        <ListEditor label='A list' one='term' of={entries} blank={() => ({ term: '' })}>
          {(entry) => <TextField label='Term' value={field(entry, 'term')} />}
        </ListEditor>
      </Part>
      <Search />
      <Part name='person-choice'><PersonChoice label='Person' none='nobody' value={choices.person} /></Part>
      <Part name='list-choice'>
        <ListChoice label='Account' value={choices.account} options={{ a: 'Shop', b: 'Ops' }} />
      </Part>
      <Part name='environment-choice'><EnvironmentChoice label='Environment' value={choices.environment} /></Part>
      <Part name='project-choice'><ProjectChoice value={choices.project} none='All projects' /></Part>
      <Part name='repository-choice'><RepositoryChoice value={choices.repository} /></Part>
      <Part name='copied'><Copied label='An address' text='https://example.com/hooks/1' /></Part>
      <Dialogs />
    </>
  )
}
