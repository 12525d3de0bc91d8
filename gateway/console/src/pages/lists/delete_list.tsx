import {useCampaigns} from '../../api/campaigns.ts';
import {useDeleteList} from '../../api/lists.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import {AlertDialog} from '../../design/dialog.tsx';
import {useHeld} from '../../session/provider.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';

const kShown = 5;

/** Says which campaigns name the list, before it goes. */
export function DeleteList({id, onClose}: {id: string; onClose: () => void}) {
  const {audience: {lists: words, ...common}, shell} = useTexts();
  const {store} = useScope();
  const list = store.get('list', id);
  const campaigns = useCampaigns({list_id: id}, useHeld('Get:Campaign') === true);
  const remove = useDeleteList();
  const names = campaigns.ids.flatMap((campaign) => store.get('campaign', campaign)?.name ?? []);
  const rest = (campaigns.total ?? 0) - Math.min(kShown, names.length);
  const run = () => remove.change({id, version: null}).then(() => {
    toasts.add({title: words.deleted, text: list?.name}, {timeout: 5000});
    onClose();
  }, (error: unknown) => {
    if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
  });
  return (
    <AlertDialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={words.deleteTitle(list?.name ?? '')} cancel={common.cancel} action={words.deleteAction}
                 isPending={remove.isUnderWay} onAction={() => void run()}>
      <p>{words.deleteText(list?.numberOfContacts ?? 0)}</p>
      {campaigns.total === null ? <p>{words.usedUnknown}</p> : campaigns.total === 0 ? <p>{words.unused}</p> : (
        <>
          <p>{words.usedBy}</p>
          <ul>{names.slice(0, kShown).map((name, place) => <li key={place}><bdi>{name}</bdi></li>)}{rest > 0 && <li>{words.moreCampaigns(rest)}</li>}</ul>
        </>
      )}
    </AlertDialog>
  );
}
