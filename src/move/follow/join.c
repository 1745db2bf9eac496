/* SPDX-License-Identifier: MIT */
/* How a follower joins new points: the leg to which it goes. */
#include "move/follow/data.h"

WEND_NO_FUSING

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Whether the straight line to a point is free. */
static bool is_line_free(const wend_follower *f, const double *to) {
  return f->clear == NULL || f->clear(f->clear_ud, f->place.position, to);
}

/* Whether the follower has passed the point where a leg begins. to: the way to that point; distance: its length. *part: the part
 * of the leg that lies ahead. */
static bool has_passed(const double *to, double distance, const double *leg, const double *direction, double *part) {
  const double length = wend_curve_length(leg);
  double along;
  *part = 1;
  if (!(length > 0)) return true;
  along = -dot(to, leg) / length;
  if (!(along >= 0)) {
    /* The point lies behind, and the leg leads less far back than the way to the point. */
    const double back = direction != NULL ? dot(to, direction) : 0, on = direction != NULL ? dot(leg, direction) : 0;
    if (direction == NULL || !(back < 0 && on / length > back / distance)) return false;
  }
  along /= length;
  *part = 1 - (along < 0 ? 0 : along > 1 ? 1 : along);
  return true;
}

/* Whether the new track begins at a node of a graph that the follower cannot have passed: the end of the edge on which it is; or
 * the beginning of the edge, if the track does not lead along it. Otherwise it would leave the roads at each sharp bend. */
static bool comes_to_node(const wend_follower *f, const wend_track *track) {
  const wend_track *now = &f->track;
  const uint32_t leg = f->place.leg;
  wend_id ahead, first = track->nodes[0];
  if (first == WEND_NO_ID || now->map != track->map || leg >= now->count) return false;
  ahead = now->nodes[leg];
  if (first == ahead) return true;
  return leg > 0 && first == now->nodes[leg - 1] && (track->count < 2 || track->nodes[1] != ahead);
}

uint32_t wend_follower_join(const wend_follower *f, const wend_track *track, const double *direction, double *left) {
  static const double shares[] = {0.5, 0.75, 1}; /* of the rest of a leg: where it may join it if it cannot see its end */
  uint32_t joined = 1, blocked = 0; /* blocked: the last leg that it has come to, if the line to its end is not free */
  double start = -1, ahead = 0;
  *left = -1;
  for (uint32_t slot = 2; slot <= track->count; slot++) {
    const double *from = wend_slot(track, slot) + 1, *to = from + WEND_SLOT;
    double way[3], leg[3], distance, part;
    for (int d = 0; d < 3; d++) way[d] = from[d] - f->place.position[d], leg[d] = to[d] - from[d];
    distance = wend_curve_length(way);
    if (start < 0) start = distance;
    if (slot == 2 && distance > 0 && comes_to_node(f, track)) break;
    /* It cannot have passed a point that is farther along the track than the follower is from the first point. */
    if (wend_track_at(track, slot) > start || wend_track_jumps(track, slot) || wend_follower_stop(f, track, slot) != NULL)
      break;
    if (!has_passed(way, distance, leg, direction, &part)) break;
    if (is_line_free(f, to)) {
      joined = slot, blocked = 0;
    } else if (wend_curve_length(leg) > 0) {
      blocked = slot, ahead = part;
    }
  }
  for (size_t i = 0; blocked != 0 && i < sizeof shares / sizeof *shares; i++) {
    const double *from = wend_slot(track, blocked) + 1, *to = from + WEND_SLOT, share = ahead * shares[i];
    double point[3];
    for (int d = 0; d < 3; d++) point[d] = to[d] + (from[d] - to[d]) * share;
    if (!(share < 1) || !is_line_free(f, point)) continue;
    *left = share;
    return blocked - 1;
  }
  return joined;
}
