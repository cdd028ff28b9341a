/// A value or a text needs the general way.
package struct NotDirect: Error {
    package init() {}
}
