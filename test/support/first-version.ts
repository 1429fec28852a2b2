import {
  adoptionVersion,
  first_adoption_version,
} from '#read-models/adoption-version/adoption-version.js';

/** The version that is live in an installation where nothing was ever rebuilt. */
export const first_version = adoptionVersion(first_adoption_version);
