import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body } from '../../api/client'
import { useAction } from '../../api/action'
import { Dialog } from '../../parts/dialog'
import { ProblemNotice } from '../../parts/notice'

/** Makes a session of a text; the session's page then generates the spec. */
export const NewSpec = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation()
  const title = useSignal('')
  const text = useSignal('')
  const { run, busy, problem } = useAction(async () => {
    const made = await body(api.POST('/pse/sessions', {
      body: { title: title.value, inputs: [{ kind: 'text', label: title.value, text: text.value }] }
    }))
    navigate(`/specs/${made.session_id}`)
  })
  return (
    <Dialog title='New spec' onClose={onClose}>
      <form
        class='stack' onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <label class='field'><span>Title</span><input
          required maxLength={200} value={title.value}
          onInput={(event) => { title.value = event.currentTarget.value }}
        />
        </label>
        <label class='field'><span>What it is made of</span><textarea
          required rows={8} value={text.value}
          placeholder='Users must be able to reset their password by e-mail …'
          onInput={(event) => { text.value = event.currentTarget.value }}
        />
        </label>
        {problem && <ProblemNotice problem={problem} />}
        <div class='actions'>
          <button type='button' onClick={onClose}>Cancel</button><button class='primary' disabled={busy}>Create</button>
        </div>
      </form>
    </Dialog>
  )
}
