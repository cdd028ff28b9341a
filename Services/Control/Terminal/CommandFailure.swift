import Contracts
import Program

/// A command's failure, in one line.
struct CommandFailure: ProgramError, Equatable {
    /// The exit code when no `counterfoil up` runs in the home.
    static let notRunningCode: Int32 = 3
    /// The exit code when a part of the group did not answer, so that the result may be incomplete.
    static let incompleteCode: Int32 = 3

    var description: String
    var exitCode: Int32 = Launch.failureCode
    /// Whether an expected answer did not come; any other failure is an answer.
    var isSilence = false
    var refusal: RequestRefusal?
    var missed: PartitionAddress?

    static func usage(_ description: String) -> CommandFailure {
        CommandFailure(description: description, exitCode: Launch.usageCode)
    }
}
