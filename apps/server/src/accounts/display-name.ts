import { randomInt } from 'node:crypto';

const qualities =
  'amber bold brave breezy bright calm clever copper cosmic crisp daring deft eager early fair fleet frosty gentle golden grand happy hardy humble ivory jolly keen lively lucky lunar mellow merry mild misty noble north nimble opal patient plain proud quick quiet rapid ready rosy royal sandy sharp silver sleek smooth solar solid spry steady stormy sturdy sunny swift tidy vivid warm wise witty'.split(
    ' ',
  );
const animals =
  'badger bear beaver bison bobcat buffalo camel caribou cheetah condor coyote crane crow dingo dolphin eagle elk falcon ferret finch fox gazelle gecko goose gull hare hawk heron hyena ibex ibis jackal jaguar kestrel kite koala lemur leopard lion lynx magpie marten moose mole newt ocelot orca osprey otter owl panda panther parrot pelican puffin puma raven robin salmon seal stork swan tapir tiger walrus wolf wren yak zebra'.split(
    ' ',
  );

const oneOf = (words: readonly string[]): string => words[randomInt(words.length)]!;

/**
 * What others see of a user: a name that can be read out and remembered, made from nothing about the person. The number grows
 * with the tries, because short names run out.
 */
export function generateDisplayName(attempt: number): string {
  return `${oneOf(qualities)}-${oneOf(animals)}-${randomInt(10 ** Math.min(2 + attempt, 9))}`;
}
