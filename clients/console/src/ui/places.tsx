/** Parts of a room that have addresses of their own. */

import { Link } from "./link.tsx";

interface PlacesProps {
  label: string;
  places: { to: string; label: string; isCurrent: boolean }[];
}

export function Places({ label, places }: PlacesProps) {
  return (
    <nav className="places" aria-label={label}>
      {places.map((place) => (
        <Link key={place.to} to={place.to} isCurrent={place.isCurrent}>
          {place.label}
        </Link>
      ))}
    </nav>
  );
}

/** The way back from a room to the list that it is of. */
export function Up({ to, label }: { to: string; label: string }) {
  return (
    <span className="up">
      <Link to={to}>{label}</Link>
    </span>
  );
}
