/// The requests that only an operator with a key may make: `counterfoil send` refuses them.
///
/// What a server's key may ask is none of them, nor what judges again by the catalog: whoever has the home may send it.
package enum ActingTypes {
    /// By the type of the message; a request with an `OperatorID` is always one of them.
    package static let all: Set<String> = [
        ClaimReassignV1.type.rawValue, CompensationProposeV1.type.rawValue,
        CompensationDecideV1.type.rawValue, OperatorCountV1.type.rawValue,
        AppleOrderReserveV1.type.rawValue,
        ReassignmentProposeV1.type.rawValue, ReassignmentConfirmV1.type.rawValue,
        ReassignmentWithdrawV1.type.rawValue,
    ]
}
