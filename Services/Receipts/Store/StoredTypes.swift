import Contracts
import Database

extension AppleAPI: ValueConvertible {}
extension AppleQuery.Urgency: ValueConvertible {}
extension NotificationAssessment.State: ValueConvertible {}
extension NotificationKind: ValueConvertible {}
extension ProofKind: ValueConvertible {}
extension RenewalCheck.Due.Stage: ValueConvertible {}
extension Submission.Intent: ValueConvertible {}
extension TransferCause: ValueConvertible {}
