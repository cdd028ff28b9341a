/// An error that ends a program with its exit code and one line on standard error.
package protocol ProgramError: Error, CustomStringConvertible {
    var exitCode: Int32 { get }
}
