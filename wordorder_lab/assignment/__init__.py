"""Trees over a bag by weights of arcs: spanning trees and assignments, after Wan et al. (2009)."""
