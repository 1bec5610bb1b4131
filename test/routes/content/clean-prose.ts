/** Prose as careful editors leave it, of several kinds; written for this test. */
export const cleanProse = [
  `The lighthouse stood empty for eleven years before the trust bought it. Its keeper had left in 1994, when the lamp
was automated, and the rooms below had filled with jackdaws. Volunteers spent two summers carrying out nests, and a
third learning how to repair a cast-iron stair. They found the keeper's log in a biscuit tin, wrapped in oilcloth. Its
last entry gives the wind and the weather, and nothing else.`,
  `A cache keeps the answer to a question that somebody will ask again. It helps only if finding the answer in the cache
is cheaper than working it out, and if the answer is still true. The second condition is the hard one. You can let
entries expire after a while, remove them when something changes, or check with the source before you use them. Each
way has its price: stale answers, more code, or a request that you hoped to save.`,
  `Soak the beans overnight. In the morning, drain them, cover them with fresh water, and bring them to the boil with an
onion and two bay leaves. They need an hour, sometimes two; old beans take longer. Salt them at the end. If you like,
crush a few against the side of the pot to thicken the broth. Serve with bread, good oil and lemon.`,
  `Before you upgrade, take a backup and read the release notes. Stop the workers first, then the web process. Install
the new version and run the migrations; on a large database they may take several minutes. Start the web process and
look at its log. When it reports that it is ready, start the workers. If something goes wrong, restore the backup: the
old version cannot read the new schema.`,
  `We surveyed 412 nurses in nine hospitals between March and June. Most worked nights at least twice a week. Those who
slept in a dark room reported fewer headaches than those who did not, even after we allowed for age and caffeine. The
study has limits. Nobody measured the light; we asked. People who struggle with sleep may also be the ones who hang
heavier curtains.`,
  `Your tenancy continues if the building is sold. The new owner takes on the agreement as it stands, including the rent
and the deposit, and must tell you their name and address within two months. They cannot end the tenancy because they
bought the house. If they ask you to sign a new agreement, you may refuse. Keep paying the rent to the old owner until
you hear, in writing, where to send it.`,
  `The river rises in a field of rushes, and for its first mile you could step across it. Sheep do. By the time it
reaches the mill it has taken in four streams and the overflow of a quarry, and it is wide enough to need a
bridge. The bridge
has been rebuilt three times. Each mason carved his initials under the second arch, where only canoeists and kingfishers
can read them.`,
  `To create a token, open Settings and choose Access. Give the token a name that tells you later what it is for, and
pick the scopes it needs; a script that only reads needs no more than read. Copy the token now, because we store a hash
and cannot show it again. You can revoke a token at any time. Requests that use it fail within a minute.`
]
