//! Tests of the quotas.
