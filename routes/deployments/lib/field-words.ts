/** What the arguments of tools for applications are, where their schemas leave it to the name. */
export const deploymentFields: Readonly<Record<string, string>> = {
  app_id: 'The id of an application, as listApps gives it',
  build_id: 'The id of a build, as listBuilds gives it',
  source: 'The repository that is deployed, and the folder in it',
  target: 'The service or function that runs it',
  status: 'Only builds with this status',
  limit: 'How many to answer at most',
  paths: 'Only pushes that change such files are deployed',
  ref: 'A branch, a tag or a commit; without it, the default branch'
}
