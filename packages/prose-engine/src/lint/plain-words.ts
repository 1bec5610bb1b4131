/** Phrases of offices and courts, with what plain English says: gov.uk and plainlanguage.gov have such lists. */
const wordy = `due to the fact that=because|in spite of the fact that=although|
in light of the fact that=because|in the event that=if|in the event of=if there is|with regard to=about|
in regard to=about|with respect to=about|in relation to=about|in respect of=about|with reference to=about|
prior to=before|subsequent to=after|in order to=to|so as to=to|for the purpose of=to|for the purposes of=for|
by means of=by|by virtue of=by|in accordance with=under|pursuant to=under|on the basis of=by|
in the absence of=without|in the course of=during|in the vicinity of=near|on a regular basis=regularly|
on a daily basis=daily|in a timely manner=soon|in a manner that=so that|in due course=later|
at this point in time=now|at the present time=now|at such time as=when|until such time as=until|
during the time that=while|within a period of time=soon|a large number of=many|a sufficient amount of=enough|
a sufficient level of=enough|a sufficient number of=enough|has the ability to=can|have the ability to=can|
is able to=can|is required to=must|are required to=must|is to be considered=is|is considered to be=is|
it should be noted that=|it shall be noted that=|it is important to note that=|it is recommended that=|
please note that=|kindly=|are advised that=|are informed that=|is advised that=|due consideration=|
upon completion of=after|on a case-by-case basis=|in a number of cases=sometimes|with the exception of=except|
in the light of=|for the reason that=because|in excess of=more than|is indicative of=shows|
of critical importance=important|utilise=use|utilize=use|utilisation=use|utilization=use|commence=start|
commencement=start|facilitate=help|endeavour=try|endeavor=try|initiation=start|ascertain=find out|
subsequently=later|aforementioned=|aforesaid=|hereby=|herein=|hereof=|hereto=|hereinafter=|hereunder=|thereof=|
therein=|thereto=|thereby=|whereof=|wherein=|notwithstanding=despite|without prejudice to=|
including without limitation=including|any and all=all|arising out of or in connection with=from|
to the fullest extent=|construed accordingly=|the said=the|requisite=necessary|furnish=give|
rectification=correction|indemnify=pay back|party of the first part=|be deemed to=`

/** What advertising says of everything. */
const hype = `best-in-class|best in class|world-class|cutting-edge|cutting edge|next-generation|next-gen|
state-of-the-art|industry-leading|award-winning|market-leading|game-changing|game changer|game-changer|synergy|
seamless|frictionless|holistic|paradigm shift|leverage|empower|unlock|unleash|supercharge|revolutionise|
revolutionize|revolutionary|disruptive|turnkey|mission-critical|ai-ready|ai-powered|at scale|
at the end of the day|to the next level|next level|no-brainer|low-hanging fruit|move the needle|
fast-paced world|in today's world|ever-changing|ever-evolving|customer journey|thought leader|value-add|
stakeholder|ecosystem|full potential|win-win|think outside the box|one-stop shop`

/** What a friend says, and a brand of some formality does not. */
const chatty = `super|really|honestly|seriously|literally|totally|absolutely|insanely|incredibly|amazing|
amazingly|amazed|awesome|crazy|omg|boom|guys|gonna|wanna|gotta|hey|yay|wow|easy peasy|trust us|blown away|
we've got your back|drop us a line|what are you waiting for|give it a spin`

const rowsOf = (table: string): string[] => table.split('|').map((row) => row.trim()).filter(Boolean)

/** A phrase, and what stands for it where there is one right choice; '' = it says nothing, or the sentence changes. */
export const wordyPhrases: readonly (readonly [string, string])[] = rowsOf(wordy).map((row) => {
  const [phrase = '', plain = ''] = row.split('=')
  return [phrase, plain] as const
})
export const hypePhrases: readonly string[] = rowsOf(hype)
export const chattyPhrases: readonly string[] = rowsOf(chatty)
