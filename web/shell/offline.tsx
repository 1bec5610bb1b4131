import { offline } from '../api/connection'

/** One line for everything that cannot be read or sent now; it goes by itself. */
export const Offline = () => <div role='status'>
  {offline.value && <p class='offline'>Steward cannot be reached. What you typed stays; trying again …</p>}
</div>
