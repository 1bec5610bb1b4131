/** The roles of sections, by the words of their headings. */
const roles = [
  ['problem', /^problems?\b/],
  // The steps of a use case; "Alternative flows" are none that were not chosen.
  ['flow', /\b(?:(?:main|primary|basic|normal|alternat(?:e|ive)|exception(?:al)?|error|happy|success)(?: success)? (?:flows?|paths?|courses?|scenarios?)|(?:flow|course) of events|post-?conditions?|(?:success|minimal) guarantees?|(?:haupt|normal|alternativ|standard|fehler)(?:ablauf|abläufe|szenario|szenarien)|nachbedingung(?:en)?|scénarios? (?:nominal|principal|alternatifs?)|enchaînements? (?:nominal|alternatifs?)|flujos? (?:principal|básico|normal|alternativos?)|escenario principal|postcondici(?:ón|ones))\b|^(?:\d[\d.]* )?extensions:?$/],
  ['boilerplate', /\b(?:traceability|compliance|matriz de (?:cumplimiento|trazabilidad)|matrice de (?:conformité|traçabilité))\b.{0,20}\b(?:matrix|table|requisitos|exigences)\b|\b(?:traceability|rückverfolgbarkeits)matrix\b/],
  ['tests', /\b(?:test ?plans?|(?:unit|integration|e2e|end-to-end|regression) tests?|test(?:ing)? (?:cases?|scenarios?|strategy)|testf[aä]ll?e?|cas(?:os?)? de (?:tests?|pruebas?)|testing$|testplan|plan de (?:tests?|pruebas))\b/],
  // "Install the server" below it is no demand, whatever the document's title is.
  ['tender', /\b(?:instructions? (?:to|for) (?:the )?(?:bidders|offerors|tenderers|proposers|vendors|suppliers|respondents)|(?:evaluation|award|selection) criteria|submission of (?:bids|proposals|tenders|offers)|(?:bid|proposal|tender) (?:submission|format|requirements)|bewerbungsbedingungen|vergabebedingungen|zuschlagskriterien|bewertungskriterien|eignungskriterien|critères d['’]attribution|règlement de (?:la )?consultation|remise des offres|criterios de (?:evaluación|adjudicación|valoración)|presentación de ofertas)\b/],
  ['instructions', /\b(?:getting started|how to (?:install|use|run|build|contribute|read|set up)|installation|set-?up|usage|instructions?|(?:run|play)books?|steps|procedures?|vorgehen(?:sweise)?|anleitung|bedienung|schritte|procédure|mode d['’]emploi|étapes|instrucciones|pasos|procedimiento)$|^(?:runbook|playbook|how-?to|tutorial)\b/],
  ['later', /^(?:\d[\d.]* )?(?:later|später|plus tard|más adelante|backlog|icebox)$|^(?:\d[\d.]* )?evoluci[óo]n del sistema\b|\bfuture (?:use|uses|work|enhancements?|extensions?|considerations?|improvements?|plans?|directions?|possibilities)\b|^future\b|\bvolutions futures\b|\b(?:mejoras|ampliaciones) futuras\b/],
  ['rollout', /\b(?:upgrades?|downgrades?|version skew|backwards? compatibility|roll-?backs?|roll-?out|graduation)\b/],
  ['current', /\b(?:current|present|existing) (?:situation|state|process|solution|system)\b|\b(?:ausgangs(?:lage|situation)|ist-?(?:zustand|situation|analyse|stand))\b|\b(?:situation actuelle|situación actual)\b/],
  ['problem', /\b(?:current|actual|present|existing) behaviou?r\b|\bsteps to reproduce\b/],
  // "This can lead to battery depletion" is what is considered there; what must be done about it is said with must.
  ['considerations', /\b(?:considerations?|implications?)\b|^(?:\d[\d.]* )?consequences$/],
  ['alternatives', /\b(?:alternatives?|rejected|considered (?:options|and (?:dropped|rejected))|options considered|not (?:adopted|taken)|discarded|verworfen\w*|alternativen|alternativas|rejet[ée]es?|descartad[ao]s)\b|^(?:pros?|cons|advantages|disadvantages|trade-?offs|pros (?:and|&) cons)\b|\bvs\.? /],
  ['history', /\b(?:(?:change|implementation|revision|document|version) history|change ?log|revisions|release notes|änderungshistorie|historique des (?:versions|modifications|révisions)|historial de (?:cambios|versiones|revisiones)|parking lot)\b|^(?:appendix \w\.? +)?(?:changes|history|historie|historique|historial)(?: since .*)?$/],
  ['boilerplate', /\b(?:copyright|licen[cs]e notice|status of this (?:memo|document)|requirements? (?:language|notation)|notational conventions|references|acknowledge?ments?|table of contents|inhaltsverzeichnis|table des matières|sommaire|índice|sign-?off|authors?'? addresse?s?|imprint|impressum|document control|contributing|how to contribute|code of conduct|list of (?:figures|tables)|abbildungsverzeichnis|tabellenverzeichnis|table des illustrations)\b|^(?:\d[\d.]* )?(?:inhalt|contents|contenido|contenu)$|^(?:\d[\d.]* )?conventions(?: used.*)?$/],
  ['project', /\b(?:budget|staffing|projektteam|projektplan|zeitplan|meilensteine|milestones|roadmap|besoins (?:en )?ressources|équipe (?:minimum|projet)|presupuesto|cronograma|hackathon|go-to-market|competitors|competitive analysis|iana considerations)\b|\btimelines?(?: \([^()]{1,20}\))?$/],
  ['actions', /\b(?:actions?|action items|to-?dos?|to do|next steps|follow-?ups?|aufgaben|t[âa]ches|tareas)\b/],
  ['examples', /^(?:\d[\d.]* )?(?:(?:an? |usage )?examples?|beispiele?|exemples?|ejemplos?)(?: .*)?$/],
  ['non_goals', /^(?:\d[\d.]* )?(?:out$|not (?:now|yet|for now|planned|this time)|nicht jetzt|noch nicht|vorerst nicht|pas maintenant|por ahora no)\b|\b(?:non-?goals?|no-?gos?|won['’]t[- ]haves?|(?:won['’]t|will not|don['’]t|do not) (?:do|build|support|cover)\b|not doing|nicht-?ziele?|no[- ]objetivos|abgrenzung(?:skriterien)?|nicht enthalten|nicht (?:bestand)?teil|(?:was )?wir nicht (?:tun|machen|bauen)|kein bestandteil|(?:ne (?:fait|font)|fait|font) pas partie|no forman? parte|außerhalb|out of scope|not in scope|excluded|exclusions|not included|nicht im umfang|hors (?:p[ée]rim[èe]tre|(?:du )?(?:présent )?contrat)|exclus?|exclues|fuera (?:de|del) alcance|not part of)\b/],
  ['questions', /\b(?:open (?:questions?|issues?|points?)|open$|faq|questions?|unresolved|to be decided|offene (?:fragen|punkte)|preguntas|points? (?:ouverts?|en suspens)|puntos abiertos|cuestiones abiertas)\b/],
  ['assumptions', /\b(?:assumptions?|preconditions?|annahmen|hypoth[èe]ses)\b/],
  ['acceptance', /\b(?:acceptance|akzeptanz)\b/],
  ['scenarios', /\bscenarios?\b/],
  ['success', /\b(?:success|metrics?|kpis?|measures? of|(?<!decision )outcomes?|erfolg|kennzahlen|indicateurs|indicadores)\b/],
  ['edge_cases', /\b(?:edge cases?|corner cases?|exceptions?|error cases?|failure modes?)\b/],
  ['risks', /\b(?:risks?|(?<!cross-cutting )concerns|risiken|risques)\b/],
  ['decisions', /\b(?:d[ée]cisions?|decisiones|decided|resolutions?$|entscheidungen|beschl[üu]sse)\b/],
  ['glossary', /\b(?:glossary|definitions?(?! of (?:done|ready))|terms|terminology|glossar|begriffe|glossaire)\b/],
  ['stories', /\b(?:user stor(?:y|ies)|stories|use cases?|user journeys?|uc[-_ ]?\d{1,3})\b/],
  ['requirements', /\b(?:service[- ]levels?|slas?|slos?|take-?aways?|nfrs?|non-?functionals?|nicht-?funktional\p{L}*|non fonctionnel\p{L}*|no funcionales|policy statements?|polic(?:y|ies)$|richtlinien?$|(?:technical|organi[sz]ational|security|protective|safety) (?:and \p{L}+ )?measures|what we take (?:from|away)|requirements?(?!\.txt| (?:data|lists?|files?)\b)|features|feature(?=:| specifications?\b| list\b| set\b)|functionality|capabilities|guard ?rails?|constraints?|rules|(?:must|should|could|nice[- ]to)[- ]haves?|retention periods?|solution (?:sketch|outline)|what we(?:['’]ll| will) build|needs|behaviou?r|in scope|scope|security|privacy|performance|accessibility|availability|reliability|anforderungen|funktionen|betrieb|exigences|requisitos|what (?:(?:the |our )?\w+) (?:needs?|wants?)|desired|expected behaviou?r|solution you|(?:ideal|preferred|desired) solution|results|hardware|messages|checklist|definition of done|pflichten|lastenheft|pflichtenheft|anforderungskatalog|cahier des charges|pliego)\b/u],
  ['requirements', /^(?:\d[\d.]* )?(?:demandes|wünsche|requests|asks|audit(?: (?:log|trail))?|logging|notifications|authentication|authori[sz]ation|error handling|validation|sizing|capacity|backups?|permissions|limits|how it works|berechtigungen|grenzwerte|must|muss|soll|kann)$|\b(?:fonctionnalit[ée]|sécurit|funktionalität|accessibilit)|\b(?:fonctions|contraintes|besoins|performances|requerimientos|funcionalidades|funciones|restricciones|rendimiento|seguridad|randbedingungen|produktfunktionen|löschkonzept|aufbewahrung|(?:technische|organisatorische)\p{L}* (?:und \p{L}+ )?maßnahmen|(?:sicherheits|schutz)maßnahmen|mesures (?:techniques|de sécurité)|medidas (?:técnicas|de seguridad)|musskriterien|produktdaten|produktleistungen|sicherheit|\p{L}{3,30}anforderungen)\b/u],
  ['problem', /^(?:challenges|benefits|limitations|downsides)$/],
  ['actors', /\b(?:rollen|users|actors?|personas?|roles|stakeholders?|audience|who (?:is|will|uses)|nutzer|akteure)\b/],
  ['interfaces', /\b(?:interfaces?|apis?|endpoints?|integrations?|schnittstellen)\b/],
  ['entities', /\b(?:data model|entities|entity|data|records|fields|datenmodell)\b/],
  ['goals', /\b(?:goals?|objectives?|aims?|ziele|zielsetzung|zielstellung|objectifs|objetivos)\b/],
  ['problem', /\b(?:problems?|background|contexto?|motivation|rationale|consequences|drawbacks|why|pain|status|notes?|discussion|remarks|how to teach|caveats|contexte)\b/],
  ['design', /\b(?:design|specification|proposal|proposed|solution|approach|implementation|vorschlag|conception|recommendations?|bets|cross-cutting|empfehlungen|konzepte?|querschnitt\p{L}*|lösung\p{L}*|recommandations|recomendaciones|solución)(?!\p{L})/u],
  ['considerations', /^(?:\d[\d.]* )?(?:enforcement|sanctions|violations|non-?compliance)$/],
  ['summary', /\b(?:summary|purpose|zweck|overview|introduction|abstract|about|tl;?dr|[üu]berblick|einleitung|einführung|introducci[óo]n|r[ée]sum[ée])\b/]
] as const

export type Role = typeof roles[number][0]

/** Words that make a heading one of requirements at any length; the others only name what a long heading is about. */
const surely = /\b(?:service[- ]levels?|measures|(?:technische|organisatorische)\p{L}* |what we take|acceptance|akzeptanz|requirements?|features|feature(?=:| specifications?\b| list\b| set\b)|functionality|capabilities|must[- ]haves?|in scope|anforderungen|funktionen|exigences|requisitos|what (?:(?:the |our )?\w+) (?:needs?|wants?)|what we(?:['’]ll| will) build|expected behaviou?r|solution you|(?:ideal|preferred|desired) solution|checklist|definition of done|pflichten)\b/u
const shortTitle = 4
/** "Exposing pod resource requirements" names work on requirements, not a list of them. */
const workOn = /\bfactors\b|^(?:supporting|consider|exposing|changing|updating|adding|removing|calculating|computing|implementing|gathering|collecting|checking|including?|determining) /
const named = new Set<string>(['requirements', 'acceptance', 'entities', 'interfaces'])

const known = new Map<string, Role | undefined>()
/** "🎯 Goals" */
const ornament = /^[^\p{L}\p{N}(]+/u

const roleOfTitle = (title: string): Role | undefined => {
  // "How can this feature be enabled?" names a topic, not a list of requirements.
  const words = title.toLowerCase().slice(0, 200).replace(ornament, '')
  if (workOn.test(words)) return undefined
  if (/^why (?:now|this|we(?: are|['’]re)? (?:do|build)(?:ing)?(?: this| it)?)\?*$/.test(words)) return 'problem'
  if (asks.test(words) && !/^what (?:we\b|(?:the |our )?\w+ (?:needs?|wants?)\b)/.test(words)) return undoes.test(words) ? 'rollout' : undefined
  const isLong = words.split(/\s+/).length > shortTitle && !surely.test(words)
  return roles.find(([role, pattern]) => pattern.test(words) && !(isLong && named.has(role)))?.[0]
}

/** "Can the feature be disabled once it is enabled?" is answered for operators. */
const undoes = /\b(?:feature|enhancement|enablement|release)\b.{0,60}\b(?:disabled|enabled|rolled back|roll(?:-| )?back)\b/

/** Caches roles by title, because every sentence repeats the headings above it. */
const asks = /\?\s*$|^(?:what|how|why|which|will|can|does|do|are|is) .{20}/i

const remember = (title: string): Role | undefined => {
  if (!known.has(title)) {
    if (known.size > 2_000) known.clear()
    known.set(title, roleOfTitle(title))
  }
  return known.get(title)
}

const covering = new Set<Role | undefined>(
  ['alternatives', 'history', 'boilerplate', 'examples', 'actions', 'tests', 'later', 'risks', 'tender']
)

/** "Goals and Non-Goals" has both below it. */
const isOfBoth = (title: string): boolean => /\bgoals? (?:and|&|\/)|\b(?:ziele|objectifs|objetivos) (?:und|et|y)\b/i.test(title)

const isCovering = (title: string): boolean => {
  const role = remember(title)
  return covering.has(role) || (role === 'non_goals' && !isOfBoth(title))
}

const chapters = new Set<Role | undefined>(['alternatives', 'history', 'later', 'examples'])

/** The outermost heading is the document's title, or a chapter with a short name, such as "Future possibilities". */
const chapterRole = (headings: readonly string[]): Role | undefined => {
  const [title = ''] = headings
  const role = headings.length > 1 && title.split(' ').length <= 3 ? remember(title) : undefined
  return chapters.has(role) ? role : undefined
}

/** @returns the role of the innermost heading that has one; what is rejected or past is so with all below it */
export const roleOf = (headings: readonly string[]): Role | undefined => {
  const title = headings.slice(1).find(isCovering)
  const above = title === undefined ? chapterRole(headings) : remember(title)
  if (above) return above
  for (let at = headings.length - 1; at >= 0; at--) {
    const role = remember(headings[at] ?? '')
    if (role) return role
    // What stands below a question answers it.
    if (/\?\s*$/.test(headings[at] ?? '')) return undefined
  }
  return undefined
}

const withoutSection = new Set<Role | undefined>(
  [undefined, 'tender', 'considerations', 'tests', 'rollout', 'scenarios', 'instructions']
)

/** @returns whether a spec has no section of its own for what stands below such a heading */
export const hasNoSection = (role: Role | undefined): boolean => withoutSection.has(role)
