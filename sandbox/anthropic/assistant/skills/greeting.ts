import { examples } from './examples.js'
import type { Skill, Steps } from './skill.js'

const hello = new RegExp('^\\W*(hello|hi|hey|good (morning|afternoon|evening)|hallo|guten (morgen|tag|abend)|moin|' +
  'servus|bonjour|salut|bonsoir|hola|buen[oa]s (días|tardes|noches)|こんにちは|こんばんは|おはよう(ございます)?)' +
  '(\\s+(there|steward|zusammen|à tous|a todos))?[^\\p{L}]*$', 'iu')
const canDo = [
  /\bwhat (can|do) you (do|know|help)|\bwhat (are|is) (you|this|steward)\b|\bwho are you\b/i,
  /\bhow (can|do) (you|i) (help|start|begin|use)|^\W*help( me)?\W*$/i,
  /\bwas (kannst|machst) du\b|\bwer bist du\b|\bhilf mir\b|^\W*hilfe\W*$/i,
  /\b(que|qu'est-ce que tu) (peux|sais)[- ]tu|\bque peux-tu faire|\bqui es[- ]tu\b|^\W*(aide|aidez)([- ]moi)?\W*$/i,
  /qué puedes hacer|quién eres|^\W*ayuda\W*$/iu,
  /何ができ|あなたは誰|助けて/u
]

interface Words { hello: string, can: string, asks: string, try: string }

const words: Record<'de' | 'en' | 'es' | 'fr' | 'ja', Words> = {
  en: {
    hello: 'Hello.',
    can: 'I read your containers, functions, costs, logs, builds, repositories, specs and content.',
    asks: 'What changes something waits until you approve it.',
    try: 'Try one of these:'
  },
  de: {
    hello: 'Hallo.',
    can: 'Ich lese Container, Funktionen, Kosten, Protokolle, Builds, Repositorys, Spezifikationen und Inhalte.',
    asks: 'Was etwas ändert, wartet auf Ihre Freigabe.',
    try: 'Versuchen Sie zum Beispiel (auf Englisch verstehe ich am meisten):'
  },
  fr: {
    hello: 'Bonjour.',
    can: 'Je lis vos conteneurs, fonctions, coûts, journaux, builds, dépôts, spécifications et contenus.',
    asks: 'Ce qui change quelque chose attend votre accord.',
    try: "Essayez par exemple (c'est en anglais que je comprends le mieux) :"
  },
  es: {
    hello: 'Hola.',
    can: 'Leo sus contenedores, funciones, costes, registros, builds, repositorios, especificaciones y contenidos.',
    asks: 'Lo que cambia algo espera su aprobación.',
    try: 'Pruebe por ejemplo (en inglés es como más entiendo):'
  },
  ja: {
    hello: 'こんにちは。',
    can: 'コンテナ、関数、費用、ログ、ビルド、リポジトリ、仕様、コンテンツを読むことができます。',
    asks: '何かを変更する操作は、承認されるまで実行されません。',
    try: '例えば次のように聞いてください（英語が一番よく分かります）。'
  }
}

const languages: [keyof typeof words, RegExp][] = [
  ['ja', /[\u3040-\u30ff\u4e00-\u9fff]/u],
  ['de', /\b(hallo|guten|moin|servus|was|wer|hilf|hilfe|du)\b/i],
  ['fr', /\b(bonjour|salut|bonsoir|que|qui|peux|aide|aidez|tu)\b/i],
  ['es', /\b(hola|buen[oa]s|puedes|quién|ayuda|eres)\b/iu]
]

function * greet (message: string): Steps {
  const language = languages.find(([, form]) => form.test(message))?.[0] ?? 'en'
  const { hello: greeting, can, asks, try: attempt } = words[language]
  const start = hello.test(message) ? `${greeting} ${can}` : can
  return `${start} ${asks}\n\n${attempt}\n\n${examples.map((one) => `- ${one}`).join('\n')}\n\n` +
    'For a real model, set `ANTHROPIC_API_KEY` and start Steward again.'
}

/** "Hello", "What can you do?", in five languages. */
export const greeting: Skill = (message) =>
  hello.test(message) || canDo.some((form) => form.test(message)) ? greet(message) : undefined
