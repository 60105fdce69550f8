/** Holds the e-mail of who has finished or left the guide, so that the menu of small screens keeps no room for it. boot.ts reads it too. */
export const GUIDE_OVER_KEY = 'guideOver';
/** The place of the guide in that menu. */
export const GUIDE_SLOT_ID = 'guide-slot';
