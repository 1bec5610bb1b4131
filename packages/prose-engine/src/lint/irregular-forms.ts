/** Verbs whose past tense and participle are no rule: base, past, participle (where it is another). */
const verbs = `arise arose arisen|awake awoke awoken|become became become|begin began begun|bend bent|
bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|
burn burnt|buy bought|catch caught|choose chose chosen|come came come|cost cost|creep crept|cut cut|deal dealt|
dig dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|
feed fed|feel felt|fight fought|find found|fly flew flown|forbid forbade forbidden|forecast forecast|
forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|
go went gone|grind ground|grow grew grown|hang hung|have had|hear heard|hide hid hidden|hit hit|hold held|
hurt hurt|keep kept|know knew known|lay laid|lead led|leave left|lend lent|let let|lie lay lain|light lit|
lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame overcome|
overwrite overwrote overwritten|pay paid|prove proved proven|put put|quit quit|read read|rebuild rebuilt|
ride rode ridden|ring rang rung|rise rose risen|run ran run|say said|see saw seen|seek sought|sell sold|
send sent|set set|sew sewed sewn|shake shook shaken|shine shone|shoot shot|show showed shown|
shrink shrank shrunk|shut shut|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|
speed sped|spend spent|spin spun|split split|spread spread|stand stood|steal stole stolen|stick stuck|
strike struck|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|
tear tore torn|tell told|think thought|throw threw thrown|undergo underwent undergone|understand understood|
undertake undertook undertaken|undo undid undone|upset upset|wake woke woken|wear wore worn|win won|
withdraw withdrew withdrawn|write wrote written`

const nouns = `man men|woman women|child children|person people|foot feet|tooth teeth|mouse mice|
analysis analyses|basis bases|criterion criteria|phenomenon phenomena|index indices|crisis crises|thesis theses|
life lives|knife knives|shelf shelves|half halves|leaf leaves|self selves|wife wives`

const rowsOf = (table: string): string[][] => table.split('|').map((row) => row.trim().split(' '))

/** Past and participle of irregular English verbs, by their base. */
export const irregularVerbs: ReadonlyMap<string, readonly [string, string]> = new Map(rowsOf(verbs)
  .map(([base = '', past = '', participle = past]) => [base, [past, participle]] as const))

export const irregularPlurals: ReadonlyMap<string, string> = new Map(rowsOf(nouns)
  .map(([one = '', many = '']) => [one, many] as const))

export const irregularParticiples: ReadonlySet<string> = new Set([...irregularVerbs.values()].map(([, last]) => last))
