//! Defects that the simulation must find. They are in the ports between the services and their stores, so the services
//! are those of the product.

/// A planted defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlantedBug {
    /// Servers use the clocks of their machines instead of that of the database.
    ClockSkew,
    /// A lease can be claimed a second before it expires.
    LeaseOffByOne,
    /// A result is stored without a look at the fencing token.
    ResultWithoutFencing,
    /// A job that has ended can be ended again.
    ResultTwice,
    /// A job is given back without a look at the fencing token.
    RequeueWithoutFencing,
    /// The renewal says that leases are held that were lost.
    RenewalOfLostLeases,
    /// A server that leaves releases the jobs of all servers.
    ReleaseOfOthers,
    /// Claims do not respect the limits of owners and workspaces.
    ClaimBeyondLimits,
    /// A claim does not raise the fencing token.
    OldToken,
    /// The answer of a request is stored before its effect.
    AnswerBeforeEffect,
    /// The effect of a request is stored without a record under its key.
    EffectWithoutRecord,
    /// An attempt that lost its key keeps its effect.
    EffectWithoutFencing,
    /// A repeated request gets the effect of another one.
    EffectOfAnotherKey,
    /// The windows of a key are not looked at when a call is reserved.
    ReservationBeyondLimits,
    /// The usage of calls of dead servers is never recorded.
    UsageLostByDeath,
    /// A settlement that is repeated counts again.
    UsageTwice,
    /// Stored answers of vendors are not found again.
    AnswersForgotten,
    /// A group's end does not end its job.
    JobWithoutEnd,
    /// A delivery that the receiver acknowledged is sent again and again.
    DeliveryWithoutEnd,
    /// A delivery that failed once is dropped.
    DeliveryDropped,
    /// Deliveries of a deleted webhook are sent.
    DeliveryAfterDeletion,
    /// A message is signed with another secret.
    WrongSignature,
    /// A conversation is stored without a look at its revision.
    TurnWithoutRevision,
    /// The last turns of a conversation are lost when it is stored.
    TurnsLost,
}
