import { offline } from '../api/connection'
import { say } from '../texts/say'

/** One line for everything that cannot be read or sent now; it goes by itself. */
export const Offline = () => <div role='status'>
  {offline.value && <p class='offline'>{say('shell.offline')}</p>}
</div>
