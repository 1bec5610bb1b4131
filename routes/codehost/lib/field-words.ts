/** What the arguments of tools for the code host are, where their schemas leave it to the name. */
export const codehostFields: Readonly<Record<string, string>> = {
  archived: 'Only archived repositories, or only others',
  visibility: 'Only public, private or internal ones',
  type: 'Only events of this type',
  event: 'Only webhooks of this event',
  status: 'Only webhooks that were processed so',
  receipt_id: 'The id of a webhook, as listReceipts gives it',
  number: 'The number of the issue or pull request',
  body: 'The text of the pull request, in Markdown',
  files: 'The files that are added, changed or removed',
  draft: 'Whether the pull request is opened as a draft',
  ref: 'A branch, a tag or a commit; without it, the default branch',
  path: 'The path of a file or folder'
}
