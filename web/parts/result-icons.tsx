import { icon } from './icon'

/** Icons of results and of the thread, from the same Lucide as the others: web/parts/icons.licence.txt. */
export const ArrowDown = icon(() => <><path d='M12 5v14' /><path d='m19 12-7 7-7-7' /></>)
export const Code = icon(() => <><path d='m16 18 6-6-6-6' /><path d='m8 6-6 6 6 6' /></>)
