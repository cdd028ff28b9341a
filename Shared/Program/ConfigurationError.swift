package import Contracts

/// An error that ends a program with an exit code of its own and one line on standard error.
package protocol ProgramError: Error, CustomStringConvertible {
    var exitCode: Int32 { get }
}

/// What is wrong with a file of the home, in one line that says where and what to do.
package struct ConfigurationError: ProgramError, Hashable {
    /// The file, as the operator finds it.
    package let file: String
    /// Where in the file; nil when it is the file as a whole.
    package let place: JSONText.Place?
    /// The member within the file, such as `apps[0].keys[1].secret`; nil when it is the file as a whole.
    package let member: String?
    package let problem: String

    package init(file: String, place: JSONText.Place? = nil, member: String? = nil, problem: String) {
        self.file = file
        self.place = place
        self.member = member
        self.problem = problem
    }

    package var exitCode: Int32 { Launch.usageCode }

    package var description: String {
        [file, place?.description, member, problem].compactMap(\.self).joined(separator: ": ")
    }
}
