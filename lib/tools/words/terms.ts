import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import { stemmer as stemGerman } from '@orama/stemmers/german'
import { stemmer as stemSpanish } from '@orama/stemmers/spanish'
import { french } from './french.js'
import { german } from './german.js'
import { Language, type Meaning, type Grammar } from './language.js'
import { spanish } from './spanish.js'
import { stem, wordsOf, type Vocabulary } from './vocabulary.js'

const english: Vocabulary = {
  // What is done
  list: 'all which every enumerate overview available any',
  read: 'show see view look_at look_up tell_me display let_me_see open get give_me',
  create: 'make new begin start open set_up launch establish introduce add kick_off',
  add: 'include attach append insert put_into put_in take_in feed supplement',
  change: 'edit update modify adjust alter amend revise correct fix turn_on turn_off switch replace set make ' +
    'from_now_on',
  rename: 'call_it called should_be_called give_name retitle name',
  write: 'draft compose word author turn_into',
  rewrite: 'reword rephrase shorten rework revise correct polish',
  delete: 'remove erase drop discard throw_away throw_out get_rid dispose trash bin wipe take_out no_longer kick_out',
  cancel: 'stop abort halt kill break_off call_off interrupt end terminate quit do_not_send',
  archive: 'put_away hide shelve close done_with done finished over retire mothball tidy',
  approve: 'sign_off green_light accept ok confirm release pass clear',
  reject: 'decline refuse deny turn_down dismiss',
  accept: 'take_over adopt use approve apply',
  review: 'hand_to proofread look_over read_through check feedback',
  restore: 'bring_back get_back go_back recover revert reset undo return roll_back back put_back',
  undelete: 'deleted_back threw_away restore recover rescue trash accident',
  previous: 'earlier prior before old older last_one one_before yesterday as_it_was',
  retry: 'again once_more another_go resend repeat another_time redo retried',
  continue: 'resume go_on carry_on proceed pick_up broke_off',
  failed: 'fail broken broke red error errors wrong crash crashed problem went_wrong why',
  compare: 'difference different differ changed change between diff versus',
  deploy: 'ship release roll_out bring_live push_out go_live push put_live',
  rollback: 'roll_back go_back revert undo one_before back_to previous_release broken',
  rollout: 'deployment deploy roll_out release shipped',
  restart: 'reboot bounce recycle start_again restarting restarted',
  scale: 'more fewer copies instances replicas capacity traffic visitors load bigger smaller double halve up down',
  run: 'execute invoke call trigger start fire running works',
  test: 'check verify try working still_work valid',
  publish: 'post put_on_website put_online go_live send_out release bring_out online live publicly put_on_site',
  unpublish: 'take_down take_off pull_off pull_from withdraw offline retract remove_from_site off_site off_website',
  scheduled: 'planned plan schedule tomorrow later due upcoming friday monday',
  generate: 'write produce create draft machine compose written let_write',
  translate: 'translation into_english into_german into_french into_spanish turn_into language',
  search: 'find look_for mention mentions mentioning contains where',
  propose: 'suggest send_as offer',
  // What it is done to
  progress: 'far ready finished yet through complete status state going done step',
  succeeded: 'success successful worked green passed went_well',
  health: 'come_up start up healthy unhealthy wrong down slow restarting restart alive problem',
  history: 'previous past who when earlier log edited changes',
  settings: 'setting configuration configured config set_up option options details',
  permission: 'permissions rights allowed access may missing role policy credentials',
  cost: 'costs spend spent spending bill pay paid price money expensive cheap budget charge much usd dollars euros',
  account: 'accounts aws amazon connected',
  cluster: 'clusters ecs',
  service: 'services backend api',
  container: 'containers docker pods ecs',
  function: 'functions lambda lambdas serverless',
  log: 'logs output printed lines stdout console wrote write error errors exception trace',
  image: 'images tag docker',
  app: 'application apps applications shop store',
  build: 'builds pipeline pipelines ci job',
  release: 'releases version newest shipped',
  repository: 'repo repos repositories codebase git',
  file: 'files dockerfile readme json yaml source folder directory code',
  commit: 'commits committed git_log changes',
  pull: 'pr prs merge_request pull_request',
  issue: 'issues ticket tickets bug',
  activity: 'happened going_on news event events since',
  webhook: 'webhooks hook hooks delivery deliveries',
  project: 'projects working_on initiative',
  spec: 'specs specification specifications requirements requirement',
  input: 'inputs document documents notes interview transcript material source',
  version: 'versions revision revisions draft drafts edition',
  generation: 'generations generated writing written machine made',
  standard: 'standards rules rule guideline guidelines norm policy checklist',
  brand: 'tone voice style wording say speak talk formal informal customers clients house_style',
  brief: 'briefs briefing briefings',
  content: 'article articles post posts blog text texts page copy newsletter press_release mail',
  article: 'content post blog text page press_release newsletter',
  paragraph: 'sentence heading headline title section wording',
  suggestion: 'suggestions proposal proposed suggested ai wording',
  publication: 'publications published sent post mail newsletter posting',
  target: 'targets website site wordpress mastodon linkedin feed channel',
  newsletter: 'mail mailing email'
}

/** Words that stand anywhere in the text: nothing separates them there. */
const japanese: Vocabulary = {
  list: '一覧 リスト 全て すべて どれ どんな 何がある 全部',
  read: '見せ 見たい 表示 読 教えて 確認 開いて',
  create: '作成 作って 作りたい 新し 新規 登録 始め 立ち上げ 開始 設定して',
  add: '追加 加えて 入れて 含めて 足して',
  change: '変更 修正 編集 更新 直して 変えて 書き直 書き換え オフに オンに 改め 今後は',
  rename: '名前を変 改名 名称 呼ぶ',
  write: '書いて 執筆 作文 下書き',
  rewrite: '書き直 言い換え 短く 推敲 書き換え',
  delete: '削除 消して 消し 捨て 廃止 取り除 破棄 いらない 不要',
  cancel: '中止 取り消 キャンセル 停止 やめ 止め 中断 送らない',
  archive: 'アーカイブ しまって 片付け 完了した 保管',
  approve: '承認 許可 認め',
  reject: '却下 拒否 断',
  accept: '受け入れ 採用 取り入れ',
  review: 'レビュー 校正 査読 見直し',
  restore: '戻し 戻す 復元 元に 復旧 取り戻',
  undelete: '削除した 消した 復活 復元 取り戻',
  previous: '前の 以前 昨日 旧 一つ前 ひとつ前',
  retry: 'もう一度 再試行 再度 やり直 もう一回 再送',
  continue: '再開 続け 続き',
  failed: '失敗 エラー 壊れ なぜ 障害 落ち',
  compare: '比較 差分 違い 違う 変わった',
  deploy: 'デプロイ リリース 反映 本番に',
  rollback: 'ロールバック 前のに戻 戻し 壊れ 切り戻',
  rollout: 'デプロイ 展開 ロールアウト',
  restart: '再起動',
  scale: 'スケール 増や 減ら タスク数 台 倍 台数',
  run: '実行 動い 稼働 動かし 呼び出 走らせ',
  test: 'テスト 検証 確認',
  publish: '公開 掲載 投稿 配信 送信',
  unpublish: '非公開 取り下げ 下ろし 下げて サイトから',
  scheduled: '予約 予定 明日',
  generate: '生成 書いて 作って 自動',
  translate: '翻訳 訳して 英語 フランス語 ドイツ語 スペイン語',
  search: '検索 探し 含む 見つけ',
  propose: '提案 提出',
  progress: '進捗 進み 状況 どこまで 終わっ 完了',
  succeeded: '成功 うまく',
  health: '起動 健康 正常 異常 何度も 調子 状態',
  history: '履歴 誰が いつ 過去',
  settings: '設定 構成 環境変数',
  permission: '権限 アクセス 許可',
  cost: 'お金 料金 費用 コスト いくら 請求 支払 金額 高い 予算',
  account: 'アカウント',
  cluster: 'クラスタ',
  service: 'サービス',
  container: 'コンテナ',
  function: '関数 ファンクション lambda ラムダ',
  log: 'ログ 出力 エラー',
  image: 'イメージ',
  app: 'アプリ ショップ',
  build: 'ビルド',
  release: 'リリース 最新',
  repository: 'リポジトリ レポジトリ',
  file: 'ファイル フォルダ 中身 readme dockerfile コード',
  commit: 'コミット',
  pull: 'プルリク',
  issue: 'イシュー 課題 チケット',
  activity: 'アクティビティ 活動 出来事 あった',
  webhook: 'ウェブフック webhook',
  project: 'プロジェクト',
  spec: '仕様 要件',
  input: '入力 資料 ソース メモ 議事録 文書 インタビュー',
  version: 'バージョン 版 下書き',
  generation: '生成',
  standard: '標準 基準 規約 ルール',
  brand: 'ブランド トーン 口調 話し方 敬語 文体 言葉遣い',
  brief: 'ブリーフ',
  content: '記事 コンテンツ 本文 投稿 文章 ブログ プレスリリース メルマガ',
  article: '記事 投稿 文章 プレスリリース',
  paragraph: '段落 見出し タイトル 文',
  suggestion: '提案 候補 案',
  publication: '公開 配信 掲載',
  target: 'サイト ウェブ 公開先 配信先',
  newsletter: 'メルマガ ニュースレター メール'
}

const separable = /^(ab|an|auf|aus|bei|ein|frei|fort|herunter|heraus|her|hinzu|hoch|los|nach|raus|runter|um|vor|weg|weiter|wieder|zurück|zusammen)(\p{L}{2,}(?:en|ern|eln))$/u

const pronouns = /(?:me|te|se|nos)?(?:l[aeo]s?|nos|me)$/

const germanGrammar: Grammar = {
  hasCompounds: true,
  apart (verb) {
    const [, prefix, base] = separable.exec(verb) ?? []
    return prefix !== undefined && base !== undefined ? [base, prefix] : undefined
  }
}

const spanishGrammar: Grammar = {
  bare: (word) => {
    const verb = word.replace(pronouns, '')
    return verb.length < 4 ? word : verb
  }
}

/** Words that say nothing of a tool, and by which the language of a request is known. */
const functionWords = {
  english: 'a an and are as at be been by can could did do does for from had has have here how i if in into is ' +
    'it its me my of on or our please she so that the their them there these they this those to us was we were ' +
    'what when where who will with would you your use gives',
  german: 'aber als am an auf aus bei bitte da das dass dem den der des die dies diese dieser doch du ein eine ' +
    'einem einen einer er es für gib habe haben hat ich ihr im in ist ja kann können man mal mich mir mit nach ' +
    'nicht noch nur oder sich sie sind so soll über um und uns unser unsere unserem unseren unserer vom von vor ' +
    'war was wenn wer wie will wir wird wo zu zum zur',
  french: 'à au aux avec avons ce ces cet cette chez dans de des du elle en est et il ils j je l la le les leur ' +
    'lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas peux plus pour qu que qui s sa se ses ' +
    'si son sont sur ta te toi tu un une vos votre vous y',
  spanish: 'a al algo como con cuando de del el ella en entre es esa ese esta este está están esto ha hay he la ' +
    'las le les lo los me mi mis muy nos nuestra nuestro nuestros o para pero por puede que se si sin sobre son ' +
    'su sus te tiene un una uno y ya yo'
} as const

const ofTools = new Language(english, functionWords.english, stemEnglish)

const languages: readonly Language[] = [
  ofTools,
  new Language(german, functionWords.german, stemGerman, germanGrammar),
  new Language(french, functionWords.french, stemFrench),
  new Language(spanish, functionWords.spanish, stemSpanish, spanishGrammar)
]

const japaneseForms = Object.entries(japanese).flatMap(([term, forms]) =>
  forms.split(' ').map((form) => ({ form, meaning: { terms: [stem(term)], weight: 0.8 } })))

const isJapanese = (text: string): boolean => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)

/** Of the language that most of the request's words are of; of several, where that leaves it open. */
const meaningsOf = (request: string, words: readonly string[]): Meaning[] => {
  const fits = languages.map((language) => language.fit(words))
  const best = Math.max(...fits)
  const spoken = languages.filter((_, index) => fits[index] === best)
  const text = request.toLowerCase()
  return [
    ...spoken.flatMap((language) => language.meanings(words)),
    ...isJapanese(request) ? japaneseForms.filter(({ form }) => text.includes(form)).map(({ meaning }) => meaning) : []
  ]
}

/** @returns the stems of the words of an English text, without those that say nothing */
export const stemsOf = (text: string): string[] =>
  wordsOf(text).filter((word) => !ofTools.isFunctionWord(word)).map(stem)

/** @returns the stems of what a request says, and of what it means in English, each with how much it counts (0 to 1) */
export const termsOf = (request: string): Map<string, number> => {
  const terms = new Map<string, number>()
  const count = (term: string, weight: number) => terms.set(term, Math.max(terms.get(term) ?? 0, weight))
  for (const term of stemsOf(request)) count(term, 1)
  for (const { terms: several, weight } of meaningsOf(request, wordsOf(request))) {
    // A word that may mean several things says less of each.
    for (const term of several) count(term, weight / Math.sqrt(several.length))
  }
  return terms
}
