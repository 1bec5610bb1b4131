import { Dialog } from '../parts/dialog'
import { go, leaving } from './location'

/** Asks before typed text is lost by leaving the page within the client. */
export const LeaveDialog = () => {
  const { value: to } = leaving
  if (to === undefined) return null
  const stay = () => { leaving.value = undefined }
  return (
    <Dialog title='Leave without saving?' onClose={stay}>
      <p>What you typed on this page is not saved yet.</p>
      <div class='actions'>
        <button type='button' class='primary' onClick={stay}>Stay here</button>
        <button type='button' class='danger' onClick={() => go(to)}>Leave</button>
      </div>
    </Dialog>
  )
}
