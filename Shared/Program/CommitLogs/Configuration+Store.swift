import Contracts
import PostgreSQL

extension Configuration {
    /// Where every commit of the group is kept beside its machine.
    package struct Store: Codable, Hashable, Sendable {
        private static let groupBytes = 1...64

        /// `postgresql://USER@HOST/DATABASE`: the servers of the group's commit log; without a password.
        package var url: String
        /// The name of this group in the log; the log of another group is refused.
        package var group: String
        /// A file of mode 0600 whose first line is the password; nil where no server asks for one.
        package var passwordFile: String?
        /// Takes servers that may lose with one machine what they have acknowledged.
        package var allowSingle = false

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case url, group, passwordFile, allowSingle
        }

        package init(url: String, group: String) {
            self.url = url
            self.group = group
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            url = try members.decode(String.self, forKey: .url)
            group = try members.decode(String.self, forKey: .group)
            passwordFile = try members.optional(.passwordFile)
            allowSingle = try members.optional(.allowSingle) ?? allowSingle
            do throws(LogAddress.Refusal) {
                _ = try LogAddress(url)
            } catch {
                throw members.fault(error.description, at: .url)
            }
            guard group.isPrintable(bytes: Self.groupBytes) else {
                throw members.fault("must have 1 to 64 printable characters", at: .group)
            }
        }
    }
}
